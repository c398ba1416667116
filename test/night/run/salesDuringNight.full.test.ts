import { assert } from "@effect/vitest"
import { dialectNames } from "../../../src/feed/contract/dialect/dialects.ts"
import { nightAmongSales } from "./nightAmongSales.ts"
import { live } from "../../support/suite.ts"

for (const dialect of dialectNames) {
  live(
    `a night by feed files while orders are placed is published, each game in one round (${dialect})`,
    function* () {
      assert.deepStrictEqual(yield* nightAmongSales({ dialect }, { CARDLAKE_VIA: "feeds" }), [1, 1, 1])
    },
    600_000
  )
}

live("a night that reads while orders are placed is published, each game in one round", function* () {
  assert.deepStrictEqual(yield* nightAmongSales({}), [1, 1, 1])
})
