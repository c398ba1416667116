import { assert } from "@effect/vitest"
import { nightAmongSales } from "./nightAmongSales.ts"
import { live } from "../../support/suite.ts"

live.full("a night that reads while orders are placed is published, each game in one round", function* () {
  assert.deepStrictEqual(yield* nightAmongSales({}), [1, 1, 1])
})
