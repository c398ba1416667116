import { assert } from "@effect/vitest"
import { Effect, Layer } from "effect"
import type { SnapshotFolder } from "../../../../src/store/home/Manifest.ts"
import { loadRates } from "../../../../src/store/lake/fx/loadRates.ts"
import { figureVariables } from "../../../../src/store/diff/judge.ts"
import { openSnapshots } from "../../../../src/store/diff/openSnapshots.ts"
import { coverage, coverageIn } from "../../../../src/store/diff/rules/coverage.ts"
import { emptyHome, publishNights } from "../handMadeNights.ts"
import { rebuiltAfter } from "../rebuiltAfter.ts"
import { card, expansion, idOf } from "../invented.ts"
import { asks } from "../tableRows.ts"
import { shared, suite } from "../../../support/suite.ts"

const inMarsh = { expansionId: 71, expansion: { id: 71, code: "M71", name: "Marsh 71" } }
const eur = (marketValue: number, more = {}) => ({ sourceEur: { currency: "EUR", marketValue, ...more } })

/**
 * Card 1 has a price for an unlisted Foil; 2 is a variant, its Standard with a market value of 0;
 * 3 has both finishes; 4 is never above 0. On the second night 4 loses its block, 5 its price.
 */
const night = (isSecond: boolean) => ({
  expansions: [expansion(71)],
  products: [
    card(1, {
      ...inMarsh,
      pricesByFinish: { Standard: { ...eur(10), sourceUsd: { currency: "USD", marketValue: 8.69 } }, Foil: eur(4) }
    }),
    card(2, {
      ...inMarsh,
      variant: "Extended Art",
      finishes: ["Standard", "Foil"],
      pricesByFinish: { Standard: eur(0, { low: 3 }), Foil: eur(isSecond ? 8 : 6) }
    }),
    card(3, { ...inMarsh, finishes: ["Standard", "Foil"], pricesByFinish: { Standard: eur(1.005), Foil: eur(2.01) } }),
    card(4, { ...inMarsh, pricesByFinish: isSecond ? {} : { Standard: eur(0, { low: 5 }) } }),
    card(5, { ...inMarsh, pricesByFinish: { Standard: eur(isSecond ? 0 : 7) } })
  ]
})

const coverageOf = Effect.fnUntraced(function* (first: SnapshotFolder, second: SnapshotFolder) {
  const session = yield* openSnapshots(first, second)
  yield* session.set({ is_first: 0, ...figureVariables })
  const rows = yield* session.rows("Count the priced products", coverage.sql ?? "")
  return coverageIn({ manifest: second.manifest, previous: first.manifest }, rows)
}, Effect.scoped)

const TwoNights = shared("TwoNightsOfGhosts", function* () {
  yield* loadRates(idOf("fx"), {
    source: "rates.csv",
    text: "Date,EUR,USD,CHF\n2026-05-02,1,1.0112,0.93\n",
    loadedAt: "2026-05-03T00:00:00Z"
  })
  const [first, second] = yield* publishNights([night(false), night(true)])
  const coverage = first === undefined || second === undefined ? [] : yield* coverageOf(first, second)
  return coverage
})

/** Question, query and the rows that a person computes. */
const answers = `
source_prices: is_listed is false where the product does not list the finish
  select product_id, finish, market_value from source_prices where not is_listed
  = 1 Foil 4.0000
price_series: a finish that is not listed is included, and marked
  select finish, is_listed, market_value, state from price_series(1) where day = '2026-05-02'
  = Foil false 4.0000 priced
  = Standard true 10.0000 priced
price_series: a market value of 0 is no price
  select day(day), finish, low, market_value, state from price_series(2, finish_name := 'Standard')
  = 1 Standard 3.0000 null no price
  = 2 Standard 3.0000 null no price
finish_premiums: without finishes that are not listed, and without prices of 0
  select product_id, standard, price, times from finish_premiums
  = 3 1.0050 2.0100 2
set_values: only listed finishes count; base cards are also apart; percent_priced is the priced share
  select value, dearest, priced, cards, percent_priced, base_value, base_priced, base_cards from set_values where source = 'sourceEur'
  = 19.0050 10.0000 3 5 60 11.0050 2 4
set_values_by_finish: the same, for each finish
  select finish, value, priced, cards, percent_priced, base_value, base_priced, base_cards from set_values_by_finish where source = 'sourceEur' order by finish
  = Foil 10.0100 2 2 100 2.0100 1 1
  = Standard 11.0050 2 5 40 11.0050 2 4
price_coverage: a product is priced by a market value above 0
  select source, products, priced, percent from price_coverage where source = 'sourceEur'
  = sourceEur 5 3 60
movers: nothing from or to 0
  select product_id, finish, old, new from movers(days := 1)
  = 2 Foil 6.0000 8.0000
price_extremes: never 0, and no price now where it is 0
  select product_id, high, low, price, percent_of_high from price_extremes where product_id in (4, 5)
  = 5 7.0000 7.0000 null null
price_series_in: exact, because it divides last
  -- 8.69 / 1.0112 is 8.59375 exactly: half up is 8.5938. Through doubles it is 8.5937. In francs: 8.69
  -- * 0.93 / 1.0112 = 7.9921875.
  select same_day, constant from price_series_in(1) where day = '2026-05-02' union all select same_day, constant from price_series_in(1, to_currency := 'CHF') where day = '2026-05-02'
  = 8.5938 8.5938
  = 7.9922 7.9922
fx_daily: the euro is worth one euro, once a day, even if the loaded rates say so, too
  select currency, rate from fx_daily where day = '2026-05-02' order by currency
  = CHF 0.930000
  = EUR 1.000000
  = USD 1.011200
price_series_in: the same currency needs no rate
  select day(day), finish, same_day, constant, rate_date from price_series_in(1, source_name := 'sourceEur', finish_name := 'Standard')
  = 1 Standard 10.0000 10.0000 null
  = 2 Standard 10.0000 10.0000 null
`

suite(Layer.provideMerge(TwoNights.layer, emptyHome), "a price", (it) => {
  asks(it, answers)

  it("of 0 does not count in the coverage of two nights", function* () {
    // Cards 1, 2, 3 and 5 of five, then 1, 2 and 3.
    assert.deepStrictEqual(yield* TwoNights, [
      { source: "sourceEur", before: 0.8, after: 0.6, blocks: 4, figures: 3 },
      { source: "sourceUsd", before: 0.2, after: 0.2, blocks: 1, figures: 1 }
    ])
  })

  it("may mean something else in a lake that another release built, so such a lake is rebuilt", function* () {
    const rebuilt = yield* rebuiltAfter("drop view old.files.made_from")
    assert.deepStrictEqual(rebuilt, { before: false, after: true })
  })
})
