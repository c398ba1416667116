import { assert, layer } from "@effect/vitest"
import { Context, Effect, Layer } from "effect"
import type { Home } from "../../src/lake/Home.ts"
import type { Lake } from "../../src/lake/Lake.ts"
import { loadRates } from "../../src/lake/fx/loadRates.ts"
import { emptyHome } from "./handMadeReading.ts"
import { card, expansion, type Json, sealed } from "./invented.ts"
import { publishNights } from "./publishedNights.ts"
import { lakeRows } from "./tableRows.ts"

const eur = (marketValue: number, more: Json = {}) => ({
  currency: "EUR",
  low: marketValue / 2,
  mid: marketValue,
  marketValue,
  ...more
})
const usd = (marketValue: number) => ({ currency: "USD", marketValue })
const region = (currency: string, low: number, byCondition: Json = {}) => ({
  currency,
  low,
  listingCount: 5,
  availableQuantity: 9,
  byCondition
})
const listed = { low: { amount: 8, currency: "EUR" }, listingCount: 10, availableQuantity: 18 }
const bucket = (low: number) => ({ low, listingCount: 2, availableQuantity: 3 })

const inMarsh = { expansionId: 71, expansion: { id: 71, code: "M71", name: "Marsh 71" } }
const ids = (...entries: ReadonlyArray<readonly [finish: string, id: number]>) => ({
  externalIds: { sourceEur: entries.map(([finish, id]) => ({ finish, id })) }
})

/** Eight nights: card 1 climbs by 1 a night from 10, and its Foil stays at 40; card 2 falls from 6 to 5 and has no price on the fourth. */
const night = (place: number) => ({
  products: [
    card(1, {
      ...inMarsh,
      finishes: ["Standard", "Foil"],
      ...ids(["Standard", 100], ["Foil", 101]),
      pricesByFinish: {
        Standard: {
          sourceEur: eur(10 + place, { change24h: place === 7 ? 6.25 : 0, change7d: place === 7 ? 50 : null }),
          sourceUsd: usd(10 + place),
          marketplace: {
            ...listed,
            regions: { eu: region("EUR", 8, { NM: bucket(8), LP: bucket(6) }), na: region("USD", 22) }
          }
        },
        Foil: { sourceEur: eur(40) }
      }
    }),
    card(2, {
      ...inMarsh,
      name: place < 5 ? "Wicker Hound 2" : "Wicker Dog",
      finishes: ["Standard", "Foil"],
      ...ids(["Standard", place === 0 ? 999 : 100], ["Standard", 102]),
      pricesByFinish: place === 3 ? {} : { Standard: { sourceEur: eur(place === 7 ? 5 : 6), sourceUsd: usd(90) } }
    }),
    ...(place === 0 ? [card(3, ids(["Standard", 103]))] : [card(4, ids(["Standard", 103]))]),
    sealed(9, { ...inMarsh, prices: { sourceEur: eur(66) } })
  ],
  expansions: [expansion(71, { releaseDate: "2026-04-30T00:00:00.000Z" })]
})

class EightNights extends Context.Service<EightNights, Context.Context<Lake | Home>>()("cardlake/test/EightNights") {
  static readonly layer = Layer.effect(
    EightNights,
    Effect.gen(function* () {
      yield* loadRates("fx", "rates.csv", "Date,USD\n2026-05-07,1.2\n2026-05-08,1.1\n", "2026-05-09T00:00:00Z")
      yield* publishNights(Array.from({ length: 8 }, (_, place) => night(place)))
      return yield* Effect.context<Lake | Home>()
    })
  ).pipe(Layer.provide(emptyHome))
}

/** Question, columns and the rows that answer, as text. */
const answers: ReadonlyArray<readonly [name: string, sql: string, rows: ReadonlyArray<string>]> = [
  [
    "movers: 7 nights back, the greatest first",
    "select product_id, finish, source, old, new, change, percent, listing_count from movers()",
    [
      "1 Standard sourceEur 10.0000 17.0000 7.0000 70 10",
      "1 Standard sourceUsd 10.0000 17.0000 7.0000 70 10",
      "2 Standard sourceEur 6.0000 5.0000 -1.0000 -16.67 0"
    ]
  ],
  [
    "movers: only what is offered often enough",
    "select product_id, source from movers(min_listings := 10, source_name := 'sourceEur')",
    ["1 sourceEur"]
  ],
  [
    "movers: only what costs enough",
    "select product_id from movers(min_price := 7, source_name := 'sourceEur')",
    ["1"]
  ],
  [
    "price_series: a day without a price stays in the list",
    "select day, market_value, state from price_series(2, finish_name := 'Standard', from_day := '2026-05-03', to_day := '2026-05-05')",
    ["2026-05-03 6.0000 priced", "2026-05-04 null no price", "2026-05-05 6.0000 priced"]
  ],
  [
    "price_series: neither read nor in the catalogue",
    "select day, state from price_series(4, from_day := '2026-04-30', to_day := '2026-05-02')",
    ["2026-04-30 not read", "2026-05-01 not in the catalogue", "2026-05-02 no price"]
  ],
  [
    "price_series_in: what moved is the rate or the card",
    "select day, market_value, same_day, constant, rate_date from price_series_in(1, finish_name := 'Standard') where day >= '2026-05-06'",
    [
      "2026-05-06 15.0000 null 13.6364 null",
      "2026-05-07 16.0000 13.3333 14.5455 2026-05-07",
      "2026-05-08 17.0000 15.4545 15.4545 2026-05-08"
    ]
  ],
  [
    "price_extremes",
    "select finish, high, high_at::date, low, price, percent_of_high, nights from price_extremes where product_id = 2 and source = 'sourceEur'",
    ["Standard 6.0000 2026-05-01 5.0000 5.0000 83.33 7"]
  ],
  [
    "price_check: ours and theirs",
    "select window_days, old, new, ours, theirs, agrees from price_check() where product_id = 1 and finish = 'Standard' and source = 'sourceEur'",
    ["1 16.0000 17.0000 6.25 6.2500 true", "7 10.0000 17.0000 70 50.0000 false"]
  ],
  [
    "regional_spreads: net of fees and shipping",
    "select eu_low, na_low, na_low_eur, rate_date, buy_in, net from regional_spreads(fee_percent := 10, shipping := 3)",
    ["8.0000 22.0000 20.0000 2026-05-08 eu 7"]
  ],
  ["regional_spreads: only where there are listings enough", "select * from regional_spreads(min_listings := 6)", []],
  [
    "source_against_marketplace: like is held against like",
    "select region, currency, marketplace_low, market_value, difference, percent from source_against_marketplace order by region",
    ["eu EUR 8.0000 17.0000 -9.0000 -52.94", "na USD 22.0000 17.0000 5.0000 29.41"]
  ],
  [
    "price_spreads",
    "select low, mid, low_to_mid, low_to_high from price_spreads where product_id = 2",
    ["2.5000 5.0000 50 null"]
  ],
  [
    "finish_premiums",
    "select finish, standard, price, premium, times from finish_premiums",
    ["Foil 17.0000 40.0000 23.0000 2.35"]
  ],
  [
    "condition_ladder",
    "select place, condition, near_mint, low, percent, listing_count from condition_ladder",
    ["eu LP 8.0000 6.0000 75 2"]
  ],
  [
    "set_values: every card in its cheapest finish",
    "select code, source, value, dearest, priced, cards from set_values order by source",
    ["M71 sourceEur 22.0000 17.0000 2 2", "M71 sourceUsd 107.0000 90.0000 2 2"]
  ],
  [
    "set_value_series",
    "select day, value, cards from set_value_series(71, source_name := 'sourceEur') where day between '2026-05-03' and '2026-05-05'",
    ["2026-05-03 18.0000 2", "2026-05-04 13.0000 1", "2026-05-05 20.0000 2"]
  ],
  [
    "sealed_against_singles",
    "select product_id, price, set_value, percent from sealed_against_singles",
    ["9 66.0000 22.0000 300"]
  ],
  [
    "price_coverage",
    "select expansion_id, source, products, priced, percent from price_coverage where expansion_id = 71 order by source",
    ["71 marketplace 3 1 33.3", "71 sourceEur 3 3 100", "71 sourceUsd 3 2 66.7"]
  ],
  [
    "release_decay: weeks since the release",
    "select source, week, products, median_percent from release_decay() where source = 'sourceUsd'",
    ["sourceUsd 0 2 100", "sourceUsd 1 2 106.67"]
  ],
  [
    "volatility: a steady price does not swing",
    "select priced_days, mean, daily_percent from volatility() where product_id = 1 and finish = 'Foil'",
    ["8 40 0"]
  ],
  [
    "id_audit: every kind but moved, as the product that had the id before is gone",
    "select kind, product_id, finish, external_id, detail from id_audit order by all",
    [
      "apart 2 Standard null 5.0000 EUR, 90.0000 USD",
      "doubled 2 Standard 100 2 ids",
      "doubled 2 Standard 102 2 ids",
      "missing 2 Foil null other finishes have one",
      "shared 1 Standard 100 2 products",
      "shared 2 Standard 100 2 products"
    ]
  ],
  [
    "product_history: a version a change",
    "select valid_from::date, valid_to::date, change, changed, name from product_history where product_id = 2 order by 1",
    [
      "2026-05-01 2026-05-02 added null Wicker Hound 2",
      "2026-05-02 2026-05-06 modified external_ids.sourceEur Wicker Hound 2",
      "2026-05-06 null modified name Wicker Dog"
    ]
  ],
  [
    "product_history: a product that went",
    "select valid_from::date, valid_to::date from product_history where product_id = 3",
    ["2026-05-01 2026-05-02"]
  ]
]

layer(EightNights.layer, { excludeTestServices: true })("an analyst's question", (it) => {
  for (const [name, sql, rows] of answers) {
    it.effect(name, () =>
      Effect.gen(function* () {
        const found = yield* Effect.provideContext(lakeRows(sql), yield* EightNights)
        assert.deepStrictEqual(
          found.map((row) => Object.values(row).map(String).join(" ")),
          rows
        )
      })
    )
  }
})
