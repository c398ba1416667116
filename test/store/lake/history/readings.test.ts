import { storeConfirmations } from "../../../../src/store/lake/history/tidyHistory.ts"
import { homeAfter, publishNights } from "../handMadeNights.ts"
import { card, gameId, idOf } from "../invented.ts"
import { asks } from "../tableRows.ts"
import { suite } from "../../../support/suite.ts"

const at = (day: number) => `2026-05-${String(day).padStart(2, "0")}T03:00:00.000Z`
const priced = (id: number, marketValue: number, more = {}) =>
  card(id, { pricesByFinish: { Standard: { sourceEur: { currency: "EUR", marketValue, ...more } } } })

/**
 * Nights with news on days 1, 4 and 9, without on days 2, 3, 5, 10 and 12. On these eight days card 1 is
 * 10 10 10 12 12 12 12 12; card 2 is 5 5 5 50 50 6 6 6; card 4 is 10 10 10 10 10 12.1 12.1 12.1.
 */
const nights = [
  { completedAt: at(1), products: [priced(1, 10), priced(2, 5), priced(4, 10)] },
  { completedAt: at(4), products: [priced(1, 12), priced(2, 50), priced(4, 10)] },
  { completedAt: at(9), products: [priced(1, 12), priced(2, 6), priced(4, 12.1, { change7d: 21 })] }
]
const withoutNews = [
  ["night0", at(2)],
  ["night0", at(3)],
  ["night1", at(5)],
  ["night2", at(10)],
  ["night2", at(12)],
  ["night2", "2999-01-01T03:00:00.000Z"]
] as const

const threeNights = homeAfter(function* () {
  yield* storeConfirmations(
    gameId,
    withoutNews.map(([snapshot, seenAt]) => ({ gameId, snapshot: idOf(snapshot), seenAt }))
  )
  yield* publishNights(nights)
})

/** Question, query and the rows that a person computes from the list of days. */
const answers = `
readings: the nights with and without news; one in the future does not count
  select day(day), is_confirmation from readings
  = 1 false
  = 2 true
  = 3 true
  = 4 false
  = 5 true
  = 9 false
  = 10 true
  = 12 true
movers: a feed that stands still has none
  from movers(days := 3)
movers: compares with seven days before the last reading, even if both nights found nothing new
  select product_id, old, new, change, percent, is_outlier, day(seen_before), day(seen_at), days_between from movers()
  = 2 50.0000 6.0000 -44.0000 -88 true 5 12 7
  = 4 10.0000 12.1000 2.1000 21 false 5 12 7
movers: a spike that came back, and a move that did not
  select product_id, old, new, reverted from movers()
  = 2 50.0000 6.0000 true
  = 4 10.0000 12.1000 false
movers: where that day has no reading, days_between is the real distance
  select product_id, day(seen_before), days_between from movers(days := 4)
  = 2 5 7
  = 4 5 7
movers: the greatest percent first
  select product_id, percent from movers(days := 9, by_percent := true)
  = 4 21
  = 1 20
  = 2 20
price_check: compares with the reading nearest to seven days before the last one
  select window_days, old, new, ours, theirs, agrees, day(seen_before) from price_check()
  = 7 10.0000 12.1000 21 21.0000 true 5
volatility: days without a move count, and a move over a gap is spread over the gap's days
  -- card 1: one step of ln 1.2 among seven. Card 4: ln 1.21 over four days is ln 1.1 a day, one step among seven.
  select product_id, priced_days, mean, daily_percent from volatility() where product_id <> 2
  = 1 8 11.25 6.89
  = 4 8 10.7875 3.6
volatility: counts back from the last reading
  select product_id, priced_days from volatility(days := 8, min_days := 1) order by 1
  = 1 4
  = 2 4
  = 4 4
price_extremes: two odd readings make no robust high
  select product_id, high, day(high_at), robust_high, low, day(low_at), price, percent_of_high, percent_of_robust_high, priced_readings from price_extremes order by 1
  = 1 12.0000 4 12.0000 10.0000 1 12.0000 100 100 8
  = 2 50.0000 4 6.0000 5.0000 1 6.0000 12 100 8
  = 4 12.1000 9 12.1000 10.0000 1 12.1000 100 100 8
price_extremes: of the last days alone
  select product_id, high, day(high_at), robust_high, priced_readings from price_extremes(days := 3) order by 1
  = 1 12.0000 10 null 2
  = 2 6.0000 10 null 2
  = 4 12.1000 10 null 2
`

suite(threeNights, "a night that found nothing new is a reading", (it) => {
  asks(it, answers)
})
