import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { FourNights } from "./FourNights.ts"
import { killRequests } from "./killedRequests.ts"

layer(FourNights.layer, { excludeTestServices: true })("an export into a bucket", (it) => {
  it.effect("that dies at any request leaves the earlier or the new partitions", () =>
    Effect.gen(function* () {
      const { requests, tried } = yield* killRequests(() => true)
      assert.isAbove(requests, 20)
      assert.strictEqual(tried, requests)
    })
  )
})
