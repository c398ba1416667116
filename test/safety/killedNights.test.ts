import { assert, it } from "@effect/vitest"
import { Effect } from "effect"
import { killNights } from "./killedNights.ts"

it.live(
  "a night killed after its commit, before its lake is in place, leaves the old lake; the next night builds the new one",
  () =>
    Effect.gen(function* () {
      const { committed, killed } = yield* killNights(["rename lake.duckdb"])
      assert.deepStrictEqual({ committed, killed }, { committed: 1, killed: 1 })
    }).pipe(Effect.scoped)
)
