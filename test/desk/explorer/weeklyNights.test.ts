import { testIn } from "../../support/suite.ts"
import { assert } from "@effect/vitest"
import { Effect } from "effect"
import type { Home } from "../../../src/store/home/Home.ts"
import type { Lake } from "../../../src/store/lake/duckdb/Lake.ts"
import { emptyHome } from "../../store/lake/handMadeReading.ts"
import { card, gameId } from "../../store/lake/invented.ts"
import { publishNights } from "../../store/lake/publishedNights.ts"
import { explore, tableOf } from "./explored.ts"

const reading = (day: string, marketValue: number | null) => ({
  products: [
    card(1, {
      pricesByFinish: marketValue === null ? {} : { Standard: { sourceEur: { currency: "EUR", low: 1, marketValue } } }
    })
  ],
  completedAt: `${day}T03:00:00.000Z`
})

testIn(emptyHome)(
  "a price chart of weekly nights has a row for every reading and none between, so that its line stays whole",
  function* () {
    yield* publishNights([reading("2026-05-01", 4), reading("2026-05-08", null), reading("2026-05-15", 6)])
    const { page } = yield* explore(yield* Effect.context<Home | Lake>())
    const product = yield* page(`/games/${gameId}/products/1`)
    assert.deepStrictEqual(tableOf(product, "Price sources, EUR"), [
      ["day", "Source EUR Standard"],
      ["2026-05-15", "€6.00"],
      ["2026-05-08", "–"],
      ["2026-05-01", "€4.00"]
    ])
  }
)
