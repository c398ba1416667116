import { assert, it } from "@effect/vitest"
import { Effect } from "effect"
import { dialectNames } from "../../../src/feed/contract/dialect/dialects.ts"
import { nightAmongSales } from "./nightAmongSales.ts"

for (const dialect of dialectNames) {
  it.live(
    `a night by feed files while orders are placed is published, each game in one round (${dialect})`,
    () =>
      Effect.gen(function* () {
        assert.deepStrictEqual(yield* nightAmongSales({ dialect }, { CARDLAKE_ROAD: "feeds" }), [1, 1, 1])
      }).pipe(Effect.scoped),
    600_000
  )
}
