import { assert } from "@effect/vitest"
import { loadRates } from "../../../../src/store/lake/fx/loadRates.ts"
import { homeAfter, publishNights } from "../handMadeNights.ts"
import { card, expansion, idOf } from "../invented.ts"
import { lakeRows, lines } from "../tableRows.ts"
import { readCases } from "../../../support/readCases.ts"
import { suite } from "../../../support/suite.ts"
import { tried } from "../../../tried.ts"

/** One place for each night: read on 1, 2, 4 and 20 May, and on no other day. */
const days = ["2026-05-01", "2026-05-02", "2026-05-04", "2026-05-20"]
const eur = (marketValue: number, more: object = {}) => ({ sourceEur: { currency: "EUR", marketValue, ...more } })
const inMarsh = { expansionId: 71, expansion: { id: 71, code: "M71", name: "Marsh 71" } }

/** Card 1 loses its foil on the fourth; 2 is away on that day, and back on the twentieth; 3 is new on the fourth. */
const night = (place: number) => {
  const isLater = place >= 2
  const usd = { sourceUsd: { currency: "USD", marketValue: [5, 5, 8, 10][place] } }
  const lasts = place === 3 ? { change24h: 25, change7d: 20, change30d: 50 } : {}
  const value = [10, 10, 12, 15][place] ?? 0
  const standard = eur(value, { low: value - 1, mid: value, high: value + 1, ...lasts })
  const listed = {
    marketplace: { low: { amount: 6 + place, currency: "EUR" }, listingCount: 1 + place, availableQuantity: 9 }
  }
  return {
    completedAt: `${days[place]}T03:00:00.000Z`,
    expansions: [expansion(71, { name: isLater ? "Fen" : "Marsh", releaseDate: "2026-05-01T00:00:00.000Z" })],
    products: [
      card(1, {
        ...inMarsh,
        finishes: isLater ? ["Standard"] : ["Standard", "Foil"],
        externalIds: { sourceEur: [{ finish: "Standard", id: isLater ? 101 : 100 }] },
        pricesByFinish: { Standard: { ...standard, ...usd, ...listed }, ...(isLater ? {} : { Foil: eur(20) }) }
      }),
      ...(place === 2 ? [] : [card(2, { ...inMarsh, pricesByFinish: { Standard: eur(place === 3 ? 6 : 4) } })]),
      ...(isLater ? [card(3, { ...inMarsh, pricesByFinish: { Standard: eur(place === 3 ? 10 : 8) } })] : [])
    ]
  }
}

/** A home of four days that were read, and sixteen between them that were not. */
const fourDays = homeAfter(function* () {
  yield* loadRates(idOf("fx"), {
    source: "rates.csv",
    text: "Date,USD\n2026-05-01,1.25\n2026-05-03,1.6\n2026-05-20,2\n",
    loadedAt: "2026-05-21T00:00:00Z"
  })
  yield* publishNights(days.map((_, place) => night(place)))
})

const unread = (finish: string, day: string) =>
  `hollowmere ${day} 1 ${finish} null sourceEur null null null null null not read`
const unconverted = (day: string) => `hollowmere ${day} Standard null sourceUsd null null null null null null`

/** Questions of the lake: SQL, columns, and the rows that a person computes. */
const answers = `
price_series(1, from_day := '2026-05-02', to_day := '2026-05-05')
  game_id, day, product_id, finish, is_listed, source, currency, low, mid, high, market_value, state
  = hollowmere 2026-05-02 1 Foil true sourceEur EUR null null null 20.0000 priced
  = ${unread("Foil", "2026-05-03")}
  = hollowmere 2026-05-04 1 Foil false sourceEur null null null null null no price
  = ${unread("Foil", "2026-05-05")}
  = hollowmere 2026-05-02 1 Standard true sourceEur EUR 9.0000 10.0000 11.0000 10.0000 priced
  = ${unread("Standard", "2026-05-03")}
  = hollowmere 2026-05-04 1 Standard true sourceEur EUR 11.0000 12.0000 13.0000 12.0000 priced
  = ${unread("Standard", "2026-05-05")}
price_series(2, from_day := '2026-04-30', to_day := '2026-05-21') where day not between '2026-05-06' and '2026-05-18'
  -- before the first reading and after the last one, too
  day(day), is_listed, market_value, state
  = 30 null null not read
  = 1 true 4.0000 priced
  = 2 true 4.0000 priced
  = 3 null null not read
  = 4 null null not in the catalogue
  = 5 null null not read
  = 19 null null not read
  = 20 true 6.0000 priced
  = 21 null null not read
price_series_in(1, finish_name := 'Standard') where day between '2026-05-02' and '2026-05-05'
  game_id, day, finish, is_listed, source, currency, market_value, same_day, constant, rate_date, constant_rate_date
  = hollowmere 2026-05-02 Standard true sourceUsd USD 5.0000 4.0000 2.5000 2026-05-01 2026-05-20
  = ${unconverted("2026-05-03")}
  = hollowmere 2026-05-04 Standard true sourceUsd USD 8.0000 5.0000 4.0000 2026-05-03 2026-05-20
  = ${unconverted("2026-05-05")}
price_series_in(1, finish_name := 'Standard', constant_day := '2026-05-06') where day between '2026-05-02' and '2026-05-03'
  -- the rate of a day that was not read, but has one
  day, is_listed, market_value, constant, constant_rate_date
  = 2026-05-02 true 5.0000 3.1250 2026-05-03
  = 2026-05-03 null null null null
set_value_series(71, source_name := 'sourceEur')
  -- 12 of 10 on the fourth; 15 + 10 of 12 + 8 on the twentieth
  game_id, day, source, currency, value, cards, like_for_like, compared
  = hollowmere 2026-05-01 sourceEur EUR 14.0000 2 100 null
  = hollowmere 2026-05-02 sourceEur EUR 14.0000 2 100 2
  = hollowmere 2026-05-04 sourceEur EUR 20.0000 2 120 1
  = hollowmere 2026-05-20 sourceEur EUR 31.0000 3 150 2
movers(days := 10)
  game_id, product_id, finish, source, currency, is_listed, old, new, change, percent, listing_count, is_outlier, seen_before::date, seen_at::date, days_between
  = hollowmere 1 Standard sourceEur EUR true 12.0000 15.0000 3.0000 25 4 false 2026-05-04 2026-05-20 16
  = hollowmere 1 Standard sourceUsd USD true 8.0000 10.0000 2.0000 25 4 false 2026-05-04 2026-05-20 16
  = hollowmere 3 Standard sourceEur EUR true 8.0000 10.0000 2.0000 25 0 false 2026-05-04 2026-05-20 16
price_check()
  *
price_check(slack_hours := 384)
  -- a slack of 16 days: never the last reading beside itself
  game_id, product_id, finish, source, window_days, old, new, ours, theirs, agrees, seen_before::date
  = hollowmere 1 Standard sourceEur 1 12.0000 15.0000 25 25.0000 true 2026-05-04
  = hollowmere 1 Standard sourceEur 7 12.0000 15.0000 25 20.0000 false 2026-05-04
  = hollowmere 1 Standard sourceEur 30 10.0000 15.0000 50 50.0000 true 2026-05-01
price_extremes(days := 18) order by product_id, source
  game_id, product_id, finish, source, currency, high, high_at::date, robust_high, low, low_at::date, price, percent_of_high, percent_of_robust_high, priced_readings
  = hollowmere 1 Standard sourceEur EUR 15.0000 2026-05-20 null 12.0000 2026-05-04 15.0000 100 null 2
  = hollowmere 1 Standard sourceUsd USD 10.0000 2026-05-20 null 8.0000 2026-05-04 10.0000 100 null 2
  = hollowmere 2 Standard sourceEur EUR 6.0000 2026-05-20 null 6.0000 2026-05-20 6.0000 100 null 1
  = hollowmere 3 Standard sourceEur EUR 10.0000 2026-05-20 null 8.0000 2026-05-04 10.0000 100 null 2
volatility(min_days := 2)
  -- card 1 in euros: 0, ln 1.2 / √2 and ln 1.25 / √16 have the standard deviation 0.06466
  game_id, product_id, finish, source, currency, priced_days, mean, daily_percent
  = hollowmere 1 Standard sourceUsd USD 4 7 17.8
  = hollowmere 2 Standard sourceEur EUR 3 4.6667 6.76
  = hollowmere 1 Standard sourceEur EUR 4 11.75 6.47
  = hollowmere 1 Foil sourceEur EUR 2 20 null
  = hollowmere 3 Standard sourceEur EUR 2 9 null
release_decay()
  -- nothing was read in the second week after the release; three of four prices are there in the third
  game_id, expansion_id, expansion_name, kind, source, week, products, median_percent
  = hollowmere 71 Fen card sourceEur 0 4 100
  = hollowmere 71 Fen card sourceEur 2 3 125
  = hollowmere 71 Fen card sourceUsd 0 1 100
  = hollowmere 71 Fen card sourceUsd 2 1 125
nights_at('2026-05-03')
  game_id, snapshot, seen_at::date
  = hollowmere ${idOf("night1")} 2026-05-02
products_at('2026-05-03') order by product_id
  product_id, valid_from::date, valid_to::date, change, changed, finishes
  = 1 2026-05-01 null added null Standard,Foil
  = 2 2026-05-01 null added null Standard
products_at('2026-05-19') order by product_id
  product_id, valid_from::date, valid_to::date, change, finishes
  = 1 2026-05-04 null modified Standard
  = 3 2026-05-04 null added Standard
expansions_at('2026-05-03')
  expansion_id, name, valid_to::date
  = 71 Marsh null
expansions_at('2026-05-19')
  expansion_id, name, valid_to::date
  = 71 Fen null
external_ids_at('2026-05-03')
  product_id, system, finish, external_id, valid_to::date
  = 1 sourceEur Standard 100 null
prices_at('2026-05-03') order by product_id, finish, source
  product_id, finish, source, market_value, seen_at::date
  = 1 Foil sourceEur 20.0000 2026-05-02
  = 1 Standard sourceEur 10.0000 2026-05-02
  = 1 Standard sourceUsd 5.0000 2026-05-02
  = 2 Standard sourceEur 4.0000 2026-05-02
marketplace_prices_at('2026-05-19')
  product_id, finish, region, currency, low, listing_count, seen_at::date
  = 1 Standard null EUR 8.0000 3 2026-05-04
`

/** DuckDB joins few days with versions by another plan than many; they differ in what they make of a null. */
const plans = ["reset asof_loop_join_threshold", "set asof_loop_join_threshold = 0"]

const atMacros = ["nights_at", "products_at", "expansions_at", "external_ids_at", "prices_at", "marketplace_prices_at"]

suite(fourDays, "on days that were not read", (it) => {
  for (const [asked, columns, rows] of readCases(answers)) {
    it(asked, function* () {
      for (const plan of tried(plans, (_, index) => index === 1)) {
        assert.deepStrictEqual(lines(yield* lakeRows(`${plan}; select ${columns} from ${asked}`)), rows, plan)
      }
    })
  }

  it("an instant says in every column what the reading before it said", function* () {
    for (const macro of atMacros) {
      const rows = (instant: string) =>
        lakeRows(`select to_json(t)::varchar as row from ${macro}('${instant}') t order by 1`)
      const unreadDay = yield* rows("2026-05-19")
      assert.isNotEmpty(unreadDay, macro)
      assert.deepStrictEqual(unreadDay, yield* rows("2026-05-04 03:00"), macro)
    }
  })
})
