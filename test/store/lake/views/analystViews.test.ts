import { assert } from "@effect/vitest"
import { Cause, Effect, Exit } from "effect"
import { eightNights } from "./eightNights.ts"
import { asks, lakeRows } from "../tableRows.ts"
import { suite } from "../../../support/suite.ts"
import { tried } from "../../../tried.ts"

/** Question, query and the rows that it must give, as text. */
const answers = `
movers: 7 nights back, the greatest first
  select product_id, finish, source, old, new, change, percent, listing_count from movers()
  = 1 Standard sourceEur 10.0000 17.0000 7.0000 70 10
  = 1 Standard sourceUsd 10.0000 17.0000 7.0000 70 10
  = 2 Standard sourceEur 6.0000 5.0000 -1.0000 -16.67 0
movers: only what is offered often enough
  select product_id, source from movers(min_listings := 10, source_name := 'sourceEur')
  = 1 sourceEur
movers: only what costs enough
  select product_id from movers(min_price := 7, source_name := 'sourceEur')
  = 1
price_series: a day without a price stays in the list
  select day, market_value, state from price_series(2, finish_name := 'Standard', from_day := '2026-05-03', to_day := '2026-05-05')
  = 2026-05-03 6.0000 priced
  = 2026-05-04 null no price
  = 2026-05-05 6.0000 priced
price_series: a day that was not read is told from one without the product in the catalogue
  select day, state from price_series(4, from_day := '2026-04-30', to_day := '2026-05-02')
  = 2026-04-30 not read
  = 2026-05-01 not in the catalogue
  = 2026-05-02 no price
price_series_in: a move of the rate is told from one of the card
  select day, market_value, same_day, constant, rate_date from price_series_in(1, finish_name := 'Standard') where day >= '2026-05-06'
  = 2026-05-06 15.0000 null 13.6364 null
  = 2026-05-07 16.0000 13.3333 14.5455 2026-05-07
  = 2026-05-08 17.0000 15.4545 15.4545 2026-05-08
price_extremes: high, low and the last price as a share of the high
  select finish, high, high_at::date, low, price, percent_of_high, priced_readings from price_extremes where product_id = 2 and source = 'sourceEur'
  = Standard 6.0000 2026-05-01 5.0000 5.0000 83.33 7
price_check: our percentages beside the source's own
  select window_days, old, new, ours, theirs, agrees from price_check() where product_id = 1 and finish = 'Standard' and source = 'sourceEur'
  = 1 16.0000 17.0000 6.25 6.2500 true
  = 7 10.0000 17.0000 70 50.0000 false
regional_spreads: net of fees and shipping, near mint against near mint
  select product_id, condition, language, eu_low, na_low, na_low_eur, rate_date, buy_in, net from regional_spreads(fee_percent := 10, shipping := 3)
  = 9 null null 60.0000 110.0000 100.0000 2026-05-08 eu 27
  = 1 NM en 8.0000 22.0000 20.0000 2026-05-08 eu 7
regional_spreads: each direction has its own fee, shipping and duty
  -- To na: 20 less 20 %, less 8 and a quarter of it, less 4. To eu: 8 less 5 %, less 20 and a tenth of it, less 2.
  select buy_in, net from regional_spreads(fee_in_na := 20, shipping_to_na := 4, duty_to_na := 25, duty_to_eu := 10) where product_id = 1
  union all select buy_in, net from regional_spreads(shipping_to_na := 40, duty_to_eu := 10) where product_id = 1
  = eu 2
  = na -16.4
regional_spreads: duty may be due on shipping, too, in both directions or in one
  -- To na: 20 less 20 %, less 8, less 4, less a quarter of 8 and 4.
  select net from regional_spreads(fee_in_na := 20, shipping_to_na := 4, duty_to_na := 25, duty_on_shipping := true) where product_id = 1
  union all select net from regional_spreads(fee_in_na := 20, shipping_to_na := 4, duty_to_na := 25, duty_on_shipping_to_eu := true) where product_id = 1
  union all select net from regional_spreads(fee_in_na := 20, shipping_to_na := 4, duty_to_na := 25, duty_on_shipping_to_na := true) where product_id = 1
  = 1
  = 2
  = 1
regional_spreads: a half is rounded up, as by hand
  -- To na: 20 less 5 %, less 8, less 0.835, are 10.165; in doubles, less than that.
  select net from regional_spreads(shipping := 0.835) where product_id = 1
  = 10.17
regional_spreads: how many are for sale, in the condition and language or of a sealed product
  select product_id, eu_listings, eu_available_quantity, na_listings, na_available_quantity from regional_spreads() order by 1
  = 1 3 4 3 4
  = 9 5 9 5 9
regional_spreads: each language is compared with itself
  select condition, language, eu_low, na_low from regional_spreads(language_name := null, min_listings := 1) where product_id = 1 order by all
  = NM en 8.0000 22.0000
  = NM ja 9.0000 23.0000
regional_spreads: only where there are enough listings
  select * from regional_spreads(min_listings := 6)
source_against_marketplace: like is compared with like
  select product_id, region, condition, language, currency, marketplace_low, market_value, difference, percent from source_against_marketplace order by all
  = 1 eu NM en EUR 8.0000 17.0000 -9.0000 -52.94
  = 1 na NM en USD 22.0000 17.0000 5.0000 29.41
  = 9 eu null null EUR 60.0000 66.0000 -6.0000 -9.09
source_against_marketplace: another condition
  select region, condition, marketplace_low from source_against_marketplace(condition_name := 'LP') where product_id = 1
  = eu LP 6.0000
price_spreads: low beside mid and high; null where the source has no figure
  select source, low, mid, low_to_mid, low_to_high from price_spreads where product_id = 2 order by source
  = sourceEur 2.5000 5.0000 50 null
  = sourceUsd null null null null
source_against_source: both in EUR, at the rate of the last reading's day
  select product_id, finish, is_listed, eur, usd, usd_in_eur, rate_date, difference, percent from source_against_source order by 1
  = 1 Standard true 17.0000 17.0000 15.4545 2026-05-08 -1.5455 -9.09
  = 2 Standard true 5.0000 90.0000 81.8182 2026-05-08 76.8182 1536.36
finish_premiums: another finish against Standard
  select finish, standard, price, premium, times from finish_premiums
  = Foil 17.0000 40.0000 23.0000 2.35
condition_ladder: each condition in percent of near mint
  select place, condition, near_mint, low, percent, listing_count from condition_ladder order by place
  = eu LP 8.0000 6.0000 75 4
  = na DMG 22.0000 11.0000 50 4
set_values: every card in its cheapest finish
  select code, source, value, dearest, priced, cards from set_values order by source
  = M71 sourceEur 22.0000 17.0000 2 2
  = M71 sourceUsd 107.0000 90.0000 2 2
set_value_series: the value of the cards that are priced on the day
  select day, value, cards from set_value_series(71, source_name := 'sourceEur') where day between '2026-05-03' and '2026-05-05'
  = 2026-05-03 18.0000 2
  = 2026-05-04 13.0000 1
  = 2026-05-05 20.0000 2
sealed_against_singles: a sealed product against its expansion's cards
  select product_id, price, set_value, percent from sealed_against_singles
  = 9 66.0000 22.0000 300
price_coverage: the share of an expansion that each source prices
  select expansion_id, source, products, priced, percent from price_coverage where expansion_id = 71 order by source
  = 71 marketplace 3 2 66.7
  = 71 sourceEur 3 3 100
  = 71 sourceUsd 3 2 66.7
price_coverage_at: the same at a time, here without a price of card 2
  select expansion_id, name, source, products, priced, percent from price_coverage_at('2026-05-04 12:00') where expansion_id = 71 order by source
  = 71 Marsh 71 marketplace 3 2 66.7
  = 71 Marsh 71 sourceEur 3 2 66.7
  = 71 Marsh 71 sourceUsd 3 1 33.3
release_decay: weeks since the release, cards and sealed products apart
  select kind, source, week, products, median_percent from release_decay() where source = 'sourceUsd' or kind <> 'card'
  = booster_box sourceEur 0 1 100
  = booster_box sourceEur 1 1 100
  = card sourceUsd 0 2 100
  = card sourceUsd 1 2 106.67
volatility: a steady price does not swing
  select priced_days, mean, daily_percent from volatility() where product_id = 1 and finish = 'Foil'
  = 8 40 0
id_audit: every kind but moved, as the product that had the id before is gone
  select kind, product_id, finish, external_id, detail from id_audit order by all
  = apart 2 Standard null 5.0000 EUR, 90.0000 USD
  = doubled 2 Standard 100 2 ids
  = doubled 2 Standard 102 2 ids
  = missing 2 Foil null other finishes have one
  = shared 1 Standard 100 2 products
  = shared 2 Standard 100 2 products
product_history: one version per change
  select valid_from::date, valid_to::date, change, changed, name from product_history where product_id = 2 order by 1
  = 2026-05-01 2026-05-02 added null Wicker Hound 2
  = 2026-05-02 2026-05-06 modified external_ids.sourceEur Wicker Hound 2
  = 2026-05-06 null modified name Wicker Dog
product_history: a product that is gone
  select valid_from::date, valid_to::date from product_history where product_id = 3
  = 2026-05-01 2026-05-02
`

/** Parameters that no row could meet, with the error. */
const senseless: ReadonlyArray<readonly [asked: string, says: string]> = [
  ["movers(days := 0)", "movers: days must be 1 or more"],
  ["movers(days := null)", "movers: days must be 1 or more"],
  ["movers(days := 3.7)", "movers: days must be 1 or more, and whole"],
  ["movers(min_listings := 2.5)", "movers: min_listings is null or not whole"],
  ["movers(min_price := null)", "movers: min_price is null"],
  ["movers(min_listings := null)", "movers: min_listings is null"],
  ["movers(source_name := 'eur')", "movers: source_name must be sourceEur or sourceUsd"],
  ["volatility(days := 0)", "volatility: days must be more than 0"],
  ["volatility(days := null)", "volatility: days must be more than 0"],
  ["volatility(days := 3.7)", "volatility: days must be more than 0, and whole"],
  ["volatility(min_days := 2.5)", "volatility: min_days is null or not whole"],
  ["volatility(min_days := null)", "volatility: min_days is null"],
  ["volatility(min_price := null)", "volatility: min_price is null"],
  ["price_extremes(days := -7)", "price_extremes: days must be more than 0"],
  ["price_extremes(days := 0.5)", "price_extremes: days must be more than 0, and whole"],
  ["price_check(tolerance := -1)", "price_check: tolerance must be 0 or more"],
  ["price_check(slack_hours := null)", "price_check: slack_hours must be 0 or more"],
  ["regional_spreads(fee_percent := -5)", "regional_spreads: a fee must be 0 to 100 percent"],
  ["regional_spreads(fee_in_na := 500)", "regional_spreads: a fee must be 0 to 100 percent"],
  ["regional_spreads(shipping := null)", "regional_spreads: shipping and duty must be 0 or more"],
  ["regional_spreads(duty_to_eu := -1)", "regional_spreads: shipping and duty must be 0 or more"],
  ["regional_spreads(min_listings := null)", "regional_spreads: min_listings is null"],
  ["regional_spreads(min_listings := 1.5)", "regional_spreads: min_listings is null or not whole"],
  ["regional_spreads(duty_on_shipping := null)", "regional_spreads: duty_on_shipping is null"],
  ["release_decay(max_weeks := 0)", "release_decay: max_weeks must be more than 0"],
  ["release_decay(max_weeks := 1.5)", "release_decay: max_weeks must be more than 0, and whole"],
  ["release_decay(min_price := null)", "release_decay: min_price is null"],
  ["set_value_series(71, source_name := 'EUR')", "set_value_series: source_name must be sourceEur or sourceUsd"],
  ["price_series(null)", "price_series: a null product means all products: give from_day, too"],
  ["price_series_in(null)", "price_series: a null product means all products: give from_day, too"],
  ["price_series_in(1, source_name := 'USD')", "price_series: source_name must be sourceEur or sourceUsd"],
  ["price_series_in(1, to_currency := 'eur')", "price_series_in: to_currency must be three capitals, such as EUR"],
  ["price_series_in(1, to_currency := null)", "price_series_in: to_currency must be three capitals, such as EUR"],
  ["price_series(1, from_day := '2026-05-04', to_day := '2026-05-03')", "price_series: from_day is after to_day"],
  ["nights_at(null)", "ts is null: give a time"],
  ["prices_at(null)", "ts is null: give a time"],
  ["nights_at('infinity')", "ts is not a time: infinity. Give a time such as 2026-08-10 or 2026-08-10T05:30Z"],
  ["prices_at('2026-02-30')", "ts is not a time: 2026-02-30"],
  ["movers(until := '-infinity')", "movers: until is not a time: -infinity"],
  ["movers(since := 'soon')", "movers: since is not a time: soon"],
  ["price_series(1, to_day := 'infinity')", "price_series: to_day is not a time: infinity"],
  ["price_series_in(1, from_day := '10.8.2026')", "price_series: from_day is not a time: 10.8.2026"],
  ["price_series_in(1, constant_day := 'epoch')", "price_series_in: constant_day is not a time: epoch"]
]

/** Questions that make sense, but match nothing. */
const unmatched = [
  "movers(min_price := 1000000)",
  "movers(until := '1999-01-01')",
  "price_series(999)",
  "set_value_series(999)",
  "prices_at('1999-01-01')",
  "price_series(1, from_day := '2099-01-01')",
  "offers_in(condition_name := 'XX') where condition is not null"
]

suite(eightNights, "an analyst's question", (it) => {
  asks(it, answers)

  it("with a parameter that no row could meet is an error that names it", function* () {
    // Of each macro, its first parameter.
    const macro = ([asked]: readonly [string, string]) => asked.split("(")[0]
    const isFirst = (one: readonly [string, string]) => senseless.find((other) => macro(other) === macro(one)) === one
    for (const [asked, says] of tried(senseless, isFirst)) {
      const found = yield* Effect.exit(lakeRows(`from ${asked}`))
      assert.include(Exit.isFailure(found) ? String(Cause.squash(found.cause)) : "no error", says, asked)
    }
  })

  it.full("that matches nothing has no rows", function* () {
    for (const asked of unmatched) {
      assert.deepStrictEqual(yield* lakeRows(`from ${asked}`), [], asked)
    }
  })

  it("about a time before the first reading compares with that one", function* () {
    const asked = (call: string) => lakeRows(`from movers(${call})`)
    assert.deepStrictEqual(yield* asked("days := 9999999999"), yield* asked("days := 7"))
  })

  it("about the future is answered by the last reading", function* () {
    const count = (at: string) => `(select count(*) from prices_at('${at}'))`
    const [row] = yield* lakeRows(`select ${count("2099-01-01")} = (select count(*) from source_prices) as same`)
    assert.deepStrictEqual(row, { same: true })
  })
})
