import { assert, it } from "@effect/vitest"
import { Effect } from "effect"
import { killNights } from "./killedNights.ts"

it.live(
  "a night killed after its commit, before its lake is in place, leaves the old lake; the next night builds the new one",
  () =>
    Effect.gen(function* () {
      // The last rename is that of the lake.
      const { committed, tried } = yield* killNights((step, names) => step === names.lastIndexOf("rename") + 1)
      assert.deepStrictEqual({ committed, tried }, { committed: 1, tried: 1 })
    }).pipe(Effect.scoped)
)
