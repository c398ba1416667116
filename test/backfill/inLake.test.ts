import { assert } from "@effect/vitest"
import { onDay } from "../homes/frozenHome.ts"
import { asksBackfilled, backfill, Backfilled, days, valuesOf } from "./Backfilled.ts"
import { historyOf, historyServer, send } from "./historyServer.ts"
import { tinyMarketplace } from "../safety/tinyNights.ts"
import { suite } from "../support/suite.ts"

const answers = `
is in the lake, price by price
  select product_id, day::varchar, low, market_value, currency from backfilled_prices where product_id = 1 order by day
  = 1 2026-05-01 1 10 EUR
  = 1 2026-05-02 1 11 EUR
  = 1 2026-05-03 1 12 EUR
  = 1 2026-05-04 1 13 EUR
  = 1 2026-05-05 1 14 EUR
is counted by product
  select product_id, from_day::varchar, to_day::varchar, status, prices, refused, reason from backfills order by 1
  = 1 2025-05-07 2026-05-06 stored 5 0 null
  = 2 2025-05-07 2026-05-06 stored 5 0 null
joins the price history on the days that we did not read
  -- the third was read before that day's deployment: ours wins
  select strftime(seen_at, '%m-%d %H:%M'), month, snapshot is null, origin, market_value
  from source_price_history where product_id = 1 order by seen_at
  = 05-01 00:00 2026-05 true history 10
  = 05-02 00:00 2026-05 true history 11
  = 05-03 03:00 2026-05 false night 11
  = 05-04 00:00 2026-05 true history 13
  = 05-05 03:00 2026-05 false night 14
is no night
  select count(*) from nights
  = 2
is no reading
  select day::varchar from readings order by 1
  = 2026-05-03
  = 2026-05-05
  = 2026-05-07
is nothing that movers count back over
  select old, new from movers(days := 3, min_price := 0)
  = 11 14
is no priced day of volatility
  select priced_days from volatility(min_days := 1) where product_id = 1
  = 3
is nothing that price_check looks at
  from price_check(slack_hours := 40) where seen_before < '2026-05-03'
is in the series of a product, which begins with it
  select day::varchar, market_value, low, state, origin from price_series(1)
  = 2026-05-01 10 1 priced history
  = 2026-05-02 11 1 priced history
  = 2026-05-03 11 1 priced night
  = 2026-05-04 13 1 priced history
  = 2026-05-05 14 1 priced night
  = 2026-05-06 null null not read null
  = 2026-05-07 14 1 priced night
is in the series in another currency
  select day::varchar, same_day, origin from price_series_in(1, source_name := 'sourceEur', to_day := '2026-05-02')
  = 2026-05-01 10 history
  = 2026-05-02 11 history
lets a product without a price, which nobody asked about, begin with the first reading
  select min(day)::varchar, count(distinct day) from price_series(3)
  = 2026-05-03 5
is not what movers go back to by themselves: the first reading is as far back as ours go
  select product_id, old, new, days_between, old_origin from movers(days := 6, min_price := 0)
  = 1 11 14 4 night
is what movers go back to if no reading is old enough and somebody asks for it
  select product_id, old, new, days_between, old_origin from movers(days := 6, with_history := true, min_price := 0)
  = 1 10 14 6.1 history
is not what movers go back to if a reading is old enough
  select product_id, old, new, days_between, old_origin from movers(days := 4, with_history := true, min_price := 0)
  = 1 11 14 4 night
does not count among the extremes by itself
  select low, low_origin, strftime(low_at, '%m-%d'), high, high_origin, priced_readings from price_extremes where product_id = 1
  = 11 night 05-03 14 night 3
counts among the extremes if somebody asks for it
  select low, low_origin, strftime(low_at, '%m-%d'), high, high_origin, priced_readings
  from price_extremes(with_history := true) where product_id = 1
  = 10 history 05-01 14 night 6
is compared with our nights, on the days that both have
  select product_id, day::varchar, ours, theirs, percent, finding from backfill_against_nights order by all
  = 1 2026-05-03 11 12 9.09 differs
  = 1 2026-05-05 14 14 0 same
  = 2 2026-05-03 50 50 0 same
  = 2 2026-05-05 50 50 0 same
`

suite(Backfilled.layer, "what a backfill brings", (it) => {
  asksBackfilled(it, answers)

  it("comes with the next night, also one that finds nothing new, and is no reading of ours", function* () {
    const { before, home, verdict } = yield* Backfilled
    assert.deepStrictEqual([before.backfilled, verdict], [[[0]], "unchanged"])
    assert.deepStrictEqual(yield* valuesOf(home, "from prices_at('2026-05-04 12:00')"), before.prices)
  })

  it("is exact, and what breaks the contract is in a table with its reason", function* () {
    const rows = `[{"date":"2026-05-01","marketplace":"tcgplayer","finish":"Foil","low":0.07,"mid":1.005,"marketValue":8999999999.9999,"note":"x"},
          {"date":"2026-05-05","marketplace":"cardmarket","finish":"Standard","currency":"GBP","marketValue":60},
          {"date":"2026-05-02","marketplace":"cardmarket","finish":"Foil","low":0.12345},{"date":"2026-05-02","finish":"Foil"},
          {"date":"2026-05-03","marketplace":"cardmarket","finish":"Foil","low":1,"low":2}]`
    const server = yield* historyServer((one, response) => send(response, historyOf(one, []).replace("[]", rows)))
    const home = yield* (yield* tinyMarketplace({ days })).newHome
    yield* home.night.pipe(onDay("05-05"))
    yield* backfill(home, {}, server).pipe(onDay("05-06"))
    yield* home.night.pipe(onDay("05-07"))
    assert.deepStrictEqual(
      yield* valuesOf(
        home,
        "select source, currency, low::varchar, mid::varchar, high, market_value::varchar, extra from backfilled_prices where product_id = 2"
      ),
      [
        ["sourceUsd", "USD", "0.0700", "1.0050", null, "8999999999.9999", { note: "x" }],
        ["sourceEur", "GBP", null, null, null, "60.0000", null]
      ]
    )
    const against =
      "select ours, theirs, percent, their_currency, finding from backfill_against_nights where product_id = 2"
    assert.deepStrictEqual(yield* valuesOf(home, against), [[50, 60, null, "GBP", "other currency"]])
    assert.deepStrictEqual(
      yield* valuesOf(
        home,
        "select position, path, reason, record from backfill_refusals where product_id = 2 order by 1"
      ),
      [
        [
          2,
          "low",
          "Expected a decimal with at most four places between 0 and 9000000000, got 0.12345",
          '{"date":"2026-05-02","marketplace":"cardmarket","finish":"Foil","low":0.12345}'
        ],
        [3, "marketplace", "Missing key", '{"date":"2026-05-02","finish":"Foil"}'],
        [
          4,
          "low",
          "Duplicate key in object",
          '{"date":"2026-05-03","marketplace":"cardmarket","finish":"Foil","low":1,"low":2}'
        ]
      ]
    )
  })
})
