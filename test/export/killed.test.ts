import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { FourNights } from "./FourNights.ts"
import { filesFound, killExports } from "./killedExports.ts"

layer(FourNights.layer, { excludeTestServices: true })("an export that is killed", (it) => {
  it.effect("leaves the earlier or the new partitions, and the next one goes on from there", () =>
    Effect.gen(function* () {
      const { renames, tried } = yield* killExports(filesFound, (at, all) => at === Math.floor(all / 2))
      assert.isAbove(renames, 10)
      assert.strictEqual(tried, 1)
    })
  )
})
