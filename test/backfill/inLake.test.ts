import { assert } from "@effect/vitest"
import { Effect } from "effect"
import { onDay } from "../homes/frozenHome.ts"
import { backfill, Backfilled, days, valuesOf } from "./Backfilled.ts"
import { historyOf, historyServer, send } from "./historyServer.ts"
import { tinyMarketplace } from "../safety/tinyNights.ts"
import { suite } from "../support/suite.ts"

suite(Backfilled.layer, "what a backfill brings", (it) => {
  const asked = (sql: string) => Effect.flatMap(Backfilled, ({ home }) => valuesOf(home, sql))

  it("is in the lake after the next night, also one that finds nothing new", function* () {
    const { before, verdict } = yield* Backfilled
    assert.deepStrictEqual([before.backfilled, verdict], [[[0]], "unchanged"])
    assert.deepStrictEqual(
      yield* asked(
        "select product_id, day::varchar, low, market_value, currency from backfilled_prices where product_id = 1 order by day"
      ),
      [1, 2, 3, 4, 5].map((day) => [1, `2026-05-0${day}`, 1, 9 + day, "EUR"])
    )
    assert.deepStrictEqual(
      yield* asked(
        "select product_id, from_day::varchar, to_day::varchar, status, prices, refused, reason from backfills order by 1"
      ),
      [1, 2].map((product) => [product, "2025-05-07", "2026-05-06", "stored", 5, 0, null])
    )
  })

  it("joins the price history on the days that we did not read", function* () {
    assert.deepStrictEqual(
      yield* asked(
        `select strftime(seen_at, '%m-%d %H:%M'), month, snapshot is null, origin, market_value
           from source_price_history where product_id = 1 order by seen_at`
      ),
      [
        ["05-01 00:00", "2026-05", true, "history", 10],
        ["05-02 00:00", "2026-05", true, "history", 11],
        // Read before that day's deployment: ours wins.
        ["05-03 03:00", "2026-05", false, "night", 11],
        ["05-04 00:00", "2026-05", true, "history", 13],
        ["05-05 03:00", "2026-05", false, "night", 14]
      ]
    )
  })

  it("is no reading: what counts back counts readings", function* () {
    const { before } = yield* Backfilled
    assert.deepStrictEqual(yield* asked("select count(*) from nights"), [[2]])
    assert.deepStrictEqual(yield* asked("select day::varchar from readings order by 1"), [
      ["2026-05-03"],
      ["2026-05-05"],
      ["2026-05-07"]
    ])
    assert.deepStrictEqual(yield* asked("from prices_at('2026-05-04 12:00')"), before.prices)
    assert.deepStrictEqual(yield* asked("select old, new from movers(days := 3, min_price := 0)"), [[11, 14]])
    assert.deepStrictEqual(yield* asked("select priced_days from volatility(min_days := 1) where product_id = 1"), [
      [3]
    ])
    assert.deepStrictEqual(yield* asked("from price_check(slack_hours := 40) where seen_before < '2026-05-03'"), [])
  })

  it("is in the series of a product, which begins with it", function* () {
    assert.deepStrictEqual(yield* asked("select day::varchar, market_value, low, state, origin from price_series(1)"), [
      ["2026-05-01", 10, 1, "priced", "history"],
      ["2026-05-02", 11, 1, "priced", "history"],
      ["2026-05-03", 11, 1, "priced", "night"],
      ["2026-05-04", 13, 1, "priced", "history"],
      ["2026-05-05", 14, 1, "priced", "night"],
      ["2026-05-06", null, null, "not read", null],
      ["2026-05-07", 14, 1, "priced", "night"]
    ])
    assert.deepStrictEqual(
      yield* asked(
        "select day::varchar, same_day, origin from price_series_in(1, source_name := 'sourceEur', to_day := '2026-05-02')"
      ),
      [
        ["2026-05-01", 10, "history"],
        ["2026-05-02", 11, "history"]
      ]
    )
    // The third card has no price and was not asked about: it begins with the first reading.
    assert.deepStrictEqual(yield* asked("select min(day)::varchar, count(distinct day) from price_series(3)"), [
      ["2026-05-03", 5]
    ])
  })

  it("is what movers go back to if no reading is old enough and somebody asks for it", function* () {
    const of = (call: string) =>
      asked(`select product_id, old, new, days_between, old_origin from movers(${call}, min_price := 0)`)
    // The first reading is as far back as ours go.
    assert.deepStrictEqual(yield* of("days := 6"), [[1, 11, 14, 4, "night"]])
    assert.deepStrictEqual(yield* of("days := 6, with_history := true"), [[1, 10, 14, 6.1, "history"]])
    assert.deepStrictEqual(yield* of("days := 4, with_history := true"), [[1, 11, 14, 4, "night"]])
  })

  it("counts among the extremes if somebody asks for it", function* () {
    const columns = "low, low_origin, strftime(low_at, '%m-%d'), high, high_origin, priced_readings"
    const of = (rows: string) => asked(`select ${columns} from ${rows} where product_id = 1`)
    assert.deepStrictEqual(yield* of("price_extremes"), [[11, "night", "05-03", 14, "night", 3]])
    assert.deepStrictEqual(yield* of("price_extremes(with_history := true)"), [
      [10, "history", "05-01", 14, "night", 6]
    ])
  })

  it("is compared with our nights, on the days that both have", function* () {
    assert.deepStrictEqual(
      yield* asked(
        "select product_id, day::varchar, ours, theirs, percent, finding from backfill_against_nights order by all"
      ),
      [
        [1, "2026-05-03", 11, 12, 9.09, "differs"],
        [1, "2026-05-05", 14, 14, 0, "same"],
        [2, "2026-05-03", 50, 50, 0, "same"],
        [2, "2026-05-05", 50, 50, 0, "same"]
      ]
    )
  })

  it("is exact, and what breaks the contract is in a table with its reason", function* () {
    const rows = `[{"date":"2026-05-01","marketplace":"tcgplayer","finish":"Foil","low":0.07,"mid":1.005,"marketValue":8999999999.9999,"note":"x"},
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
      [["sourceUsd", "USD", "0.0700", "1.0050", null, "8999999999.9999", { note: "x" }]]
    )
    assert.deepStrictEqual(
      yield* valuesOf(
        home,
        "select position, path, reason, record from backfill_refusals where product_id = 2 order by 1"
      ),
      [
        [
          1,
          "low",
          "Expected a decimal with at most four places between 0 and 9000000000, got 0.12345",
          '{"date":"2026-05-02","marketplace":"cardmarket","finish":"Foil","low":0.12345}'
        ],
        [2, "marketplace", "Missing key", '{"date":"2026-05-02","finish":"Foil"}'],
        [
          3,
          "low",
          "Duplicate key in object",
          '{"date":"2026-05-03","marketplace":"cardmarket","finish":"Foil","low":1,"low":2}'
        ]
      ]
    )
  })
})
