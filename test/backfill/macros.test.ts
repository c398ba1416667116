import { assert } from "@effect/vitest"
import { onDay } from "../homes/frozenHome.ts"
import { card, expansion } from "../store/lake/invented.ts"
import { tinyMarketplace } from "../safety/tinyNights.ts"
import { asksBackfilled, backfill, Backfilled, valuesOf } from "./Backfilled.ts"
import { eurRow, historyOf, historyServer, send } from "./historyServer.ts"
import { suite } from "../support/suite.ts"

const answers = `
volatility without it counts our readings
  -- 11, 14, 14: the logarithm of 14/11 over the square root of two days, then 0
  select priced_days, history_days, mean, daily_percent from volatility(days := 30, min_days := 1) where product_id = 1
  = 3 0 13 12.06
volatility counts the days between our readings
  -- 10, 11, 11, 13, 14, 14
  select priced_days, history_days, mean, daily_percent from volatility(with_history := true, min_days := 1) where product_id = 1
  = 6 3 12.1667 7.04
volatility of the last four days
  -- 11, 13, 14, 14
  select priced_days, history_days, mean, daily_percent
  from volatility(days := 4, with_history := true, min_days := 1) where product_id = 1
  = 4 1 13 8.37
set_value_series without it has our readings
  select day::varchar, value, cards, like_for_like, compared, origin from set_value_series(1)
  = 2026-05-03 61 2 100 null night
  = 2026-05-05 64 2 104.918 2 night
  = 2026-05-07 64 2 104.918 2 night
set_value_series has the days before the first reading and between, with the cards of then
  select day::varchar, value, cards, like_for_like, compared, origin from set_value_series(null, with_history := true)
  = 2026-05-01 60 2 100 null history
  = 2026-05-02 61 2 101.6667 2 history
  = 2026-05-03 61 2 101.6667 2 night
  = 2026-05-04 63 2 105 2 history
  = 2026-05-05 64 2 106.6667 2 night
  = 2026-05-07 64 2 106.6667 2 night
release_decay: week 0 ends on 6 May, week 1 has the reading of the 7th
  select week, products, history_products, median_percent from release_decay(max_weeks := 4)
  = 0 2 0 100
  = 1 2 0 100
release_decay counts the weeks before the first reading
  select week, products, history_products, median_percent from release_decay(with_history := true)
  = 0 2 0 100
  = 1 2 0 100
prices_at knows the days before the first reading
  select product_id, market_value, origin from prices_at('2026-05-02 12:00', with_history := true) order by 1
  = 1 11 history
  = 2 50 history
prices_at knows the days between readings
  select product_id, market_value, origin from prices_at('2026-05-04', with_history := true) order by 1
  = 1 13 history
  = 2 50 history
prices_at takes a reading before it
  select product_id, market_value, origin from prices_at('2026-05-05 12:00', with_history := true) order by 1
  = 1 14 night
  = 2 50 night
prices_at knows nothing before the first day
  from prices_at('2026-04-30', with_history := true)
price_coverage_at knows the days without a reading of ours
  select percent from price_coverage_at('2026-05-04', with_history := true) where source = 'sourceEur' and expansion_id = 1
  = 100
`

suite(Backfilled.layer, "with_history", (it) => {
  asksBackfilled(it, answers)

  it("price_check and release_decay take the service's word where no reading is old enough", function* () {
    const block = { currency: "EUR", marketValue: 12, change7d: 20, change30d: 50 }
    const products = [
      card(1, {
        expansionId: 1,
        expansion: { id: 1, code: "M1", name: "Marsh 1" },
        pricesByFinish: { Standard: { sourceEur: block } }
      })
    ]
    const expansions = [expansion(1, { releaseDate: "2026-04-20T00:00:00.000Z" })]
    const home = yield* (yield* tinyMarketplace({ days: [{ expansions, products }] })).newHome
    const server = yield* historyServer((one, response) =>
      send(response, historyOf(one, [eurRow("2026-04-08", 6), eurRow("2026-04-21", 16), eurRow("2026-05-01", 10)]))
    )
    yield* home.night.pipe(onDay("05-08"))
    yield* backfill(home, {}, server).pipe(onDay("05-08"))
    yield* home.night.pipe(onDay("05-08"))
    const checks = "select window_days, old, ours, theirs, agrees, seen_before, old_origin from price_check"
    assert.deepStrictEqual(yield* valuesOf(home, `${checks}()`), [])
    assert.deepStrictEqual(yield* valuesOf(home, `${checks}(with_history := true)`), [
      [7, 10, 20, 20, true, "2026-05-01 00:00:00+00", "history"],
      [30, 6, 100, 50, false, "2026-04-08 00:00:00+00", "history"]
    ])
    const decay = "select week, products, history_products, median_percent from release_decay"
    assert.deepStrictEqual(yield* valuesOf(home, `${decay}()`), [[2, 1, 0, 100]])
    assert.deepStrictEqual(yield* valuesOf(home, `${decay}(with_history := true)`), [
      [0, 1, 1, 100],
      [1, 1, 1, 62.5],
      [2, 1, 0, 75]
    ])
  })
})
