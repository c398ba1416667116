import { assert, it } from "@effect/vitest"
import { Effect } from "effect"
import { nightAmongSales } from "./nightAmongSales.ts"

it.live("a night that reads while orders are placed is published, each game in one round", () =>
  Effect.gen(function* () {
    assert.deepStrictEqual(yield* nightAmongSales({}), [1, 1, 1])
  }).pipe(Effect.scoped)
)
