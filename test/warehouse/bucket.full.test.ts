import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { FourNights } from "./FourNights.ts"
import { asDelta, asFiles, asIceberg, killRequests } from "./killedRequests.ts"

layer(FourNights.layer, { excludeTestServices: true })("an export into a bucket", (it) => {
  it.effect("that dies at any request leaves the earlier or the new partitions", () =>
    Effect.gen(function* () {
      assert.isAbove(yield* killRequests(asFiles, 1), 20)
    })
  )

  it.effect("as Iceberg tables leaves the earlier or the new snapshot, wherever it dies", () =>
    Effect.gen(function* () {
      assert.isAbove(yield* killRequests(asIceberg, 1), 40)
    })
  )

  it.effect("as Delta tables leaves the earlier or the new version, wherever it dies", () =>
    Effect.gen(function* () {
      assert.isAbove(yield* killRequests(asDelta, 1), 20)
    })
  )
})
