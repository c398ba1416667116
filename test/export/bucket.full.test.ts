import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { FourNights } from "./FourNights.ts"
import { asDelta, asFiles, asIceberg, killRequests } from "./killedRequests.ts"

layer(FourNights.layer, { excludeTestServices: true })("an export into a bucket", (it) => {
  it.effect("that dies at any request leaves the earlier or the new partitions", () =>
    Effect.gen(function* () {
      const { requests, tried } = yield* killRequests(asFiles, () => true)
      assert.isAbove(requests, 20)
      assert.strictEqual(tried, requests)
    })
  )

  it.effect("as Iceberg tables leaves the earlier or the new snapshot, wherever it dies", () =>
    Effect.gen(function* () {
      const { requests, tried } = yield* killRequests(asIceberg, () => true)
      assert.isAbove(requests, 40)
      assert.strictEqual(tried, requests)
    })
  )

  it.effect("as Delta tables leaves the earlier or the new version, wherever it dies", () =>
    Effect.gen(function* () {
      const { requests, tried } = yield* killRequests(asDelta, () => true)
      assert.isAbove(requests, 20)
      assert.strictEqual(tried, requests)
    })
  )
})
