import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { FourNights } from "./FourNights.ts"
import { killExports } from "./killedExports.ts"

layer(FourNights.layer, { excludeTestServices: true })("an export that is killed", (it) => {
  it.effect("at any rename leaves the earlier or the new partitions, and the next one goes on from there", () =>
    Effect.gen(function* () {
      const { renames, tried } = yield* killExports(() => true)
      assert.isAbove(renames, 10)
      assert.strictEqual(tried, renames)
    })
  )
})
