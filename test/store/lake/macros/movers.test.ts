import { assert } from "@effect/vitest"
import { Effect } from "effect"
import { emptyHome, homeAfter, publishNights } from "../handMadeNights.ts"
import { card } from "../invented.ts"
import { storedBackfill } from "../storedBackfill.ts"
import { lakeRows } from "../tableRows.ts"
import { suite, testIn } from "../../../support/suite.ts"

/** Nine days of prices, and whether the move of the last four, and of the last two, is a spike that came back. */
const series: ReadonlyArray<readonly [prices: ReadonlyArray<number>, four: boolean | null, two: boolean | null]> = [
  // It was at its height on the older of the two days.
  [[10, 10, 10, 10, 50, 50, 10, 10, 10.5], true, false],
  // It came and went between the two days; two days ago it was over.
  [[10, 10, 10, 10, 10, 40, 10, 10, 11], true, false],
  // A price that fell away and came back is one, too.
  [[20, 20, 20, 20, 5, 20, 20, 20, 21], true, false],
  // What rose or fell and stays there is none.
  [[10, 10, 10, 10, 10, 40, 40, 40, 41], false, false],
  [[50, 50, 50, 50, 50, 10, 10, 10, 10.5], false, false],
  // From 90 it came back half of the way to 10: to 30.
  [[10, 10, 10, 10, 10, 90, 30, 30, 31], false, false],
  // A tenth up and down is no spike; a fifth is.
  [[10, 10, 10, 10, 11, 10, 10, 10, 10], false, null],
  [[10, 10, 10, 10, 12, 10, 10, 10, 10], true, null],
  // It was low more than two days before the older day, but not more than four.
  [[10, 10, 50, 50, 50, 50, 50, 50, 10], true, false],
  // It came back to exactly what it was: it did not move.
  [[10, 10, 10, 10, 10, 40, 10, 10, 10], null, null]
]

const block = (currency: string, marketValue: number, low: number) => ({ currency, low, marketValue })
const listed = (listingCount: number) => ({
  low: { amount: 1, currency: "EUR" },
  listingCount,
  availableQuantity: listingCount,
  regions: { eu: { currency: "EUR", low: 1, listingCount, availableQuantity: listingCount, byCondition: {} } }
})

/** Nine nights, 1 to 9 May: cards of whose prices one thing each is to beware of. */
const flagged = (day: number) => ({
  products: [
    // Moved on the third day, and not since: seven readings.
    [21, day < 2 ? 10 : 12, 10, 5],
    // Moved on the fourth: six readings.
    [22, day < 3 ? 10 : 13, 10, 5],
    // Two listings.
    [23, day < 8 ? 10 : 14, 10, 2],
    // Three times its low, and a little more.
    [24, day < 8 ? 2 : 3, 1, 3],
    [25, day < 8 ? 2 : 3.01, 1, 3]
  ]
    .map(([id = 0, price = 0, low = 0, listings = 0]) =>
      card(id, {
        pricesByFinish: {
          Standard: {
            sourceEur: block("EUR", price, low),
            // What the second source asks for stands still; of the sixth card there is none.
            sourceUsd: block("USD", 20, 20),
            marketplace: listed(listings)
          }
        }
      })
    )
    .concat(
      card(26, {
        pricesByFinish: { Standard: { sourceEur: block("EUR", day < 8 ? 10 : 15, 10), marketplace: listed(9) } }
      })
    )
})

const marketValue = (id: number, price: number | undefined) =>
  card(id, { pricesByFinish: { Standard: { sourceEur: { currency: "EUR", marketValue: price } } } })

/** Nine nights of the cards of `series`, from 1 on, and of those that are flagged, from 21 on. */
const nineNights = homeAfter(function* () {
  const days = Array.from({ length: 9 }, (_, day) => ({
    products: series.map(([prices], index) => marketValue(index + 1, prices[day])).concat(flagged(day).products)
  }))
  yield* publishNights(days)
})

suite(nineNights, "movers", (it) => {
  it("reverted is true of a spike that came back, false of a price that stays where it went", function* () {
    for (const [days, place] of [
      [4, 1],
      [2, 2]
    ] as const) {
      const rows = yield* lakeRows(`select product_id, reverted from movers(days := ${days})`)
      const found = new Map(rows.map((row) => [Number(row["product_id"]), row["reverted"]]))
      assert.deepStrictEqual(
        series.map((_, index) => found.get(index + 1) ?? null),
        series.map((one) => one[place])
      )
    }
  })

  it("thin, stale and far say what to beware of, by bounds that can be given", function* () {
    const flags = (call: string) =>
      Effect.map(
        lakeRows(
          `select product_id, concat_ws(' ', if(is_thin, 'thin', null), if(is_stale, 'stale', null), if(is_far, 'far', null)) as flags
             from movers(${call}) where product_id > 20 order by product_id`
        ),
        (rows) => rows.map((row) => [Number(row["product_id"]), row["flags"]])
      )
    assert.deepStrictEqual(yield* flags("days := 8"), [
      [21, "stale"],
      [22, ""],
      [23, "thin"],
      [24, ""],
      [25, "far"],
      [26, ""]
    ])
    assert.deepStrictEqual(yield* flags("days := 8, thin_listings := 4, stale_readings := 6, far_times := 2"), [
      [21, "stale"],
      [22, "stale"],
      [23, "thin"],
      [24, "thin far"],
      [25, "thin far"],
      [26, ""]
    ])
    const spans = (call: string) =>
      Effect.map(
        lakeRows(
          `select product_id, old, new, seen_before::date as from_day, seen_at::date as to_day from movers(${call}) where product_id > 20 order by all`
        ),
        (rows) => rows.map((row) => Object.values(row).map(String))
      )
    assert.deepStrictEqual(yield* spans("since := '2026-05-02', until := '2026-05-03'"), [
      ["21", "10.0000", "12.0000", "2026-05-02", "2026-05-03"]
    ])
    // The first reading is no older than eight days.
    assert.deepStrictEqual(yield* spans("days := 30, until := '2026-05-04'"), [
      ["21", "10.0000", "12.0000", "2026-05-01", "2026-05-04"],
      ["22", "10.0000", "13.0000", "2026-05-01", "2026-05-04"]
    ])
  })
})

/** Eight days of prices from 1 May, after those of 21 to 28 April in the service's history; whether the price was a spike, and is stale. */
const afterHistory: ReadonlyArray<
  readonly [past: ReadonlyArray<number>, prices: ReadonlyArray<number>, flags: string]
> = [
  [[10, 10, 10, 10, 10, 20, 20, 20], [10, 10, 10, 10, 10, 10, 10, 10], "reverted stale"],
  [[20, 20, 20, 20, 20, 20, 20, 20], [10, 10, 10, 10, 10, 10, 10, 10], "stale"],
  [[20, 20, 20, 20, 20, 20, 20, 20], [20, 10, 12, 12, 12, 12, 12, 12], ""],
  // It came and went in our readings.
  [[10, 10, 10, 10, 10, 10, 10, 10], [10, 10, 50, 10, 10, 10, 10, 11], "reverted"]
]

testIn(emptyHome).full(
  "movers: an old price of the service's own history is looked at for spikes and staleness like one of ours",
  function* () {
    const past = afterHistory.map(
      ([values], index) => [index + 1, values.map((value, day) => [`2026-04-${21 + day}`, value] as const)] as const
    )
    yield* storedBackfill("backfill", new Map(past))
    const dayOf = (day: number) => ({
      products: afterHistory.map(([, prices], index) => marketValue(index + 1, prices[day]))
    })
    yield* publishNights(Array.from({ length: 8 }, (_, day) => dayOf(day)))
    const rows = yield* lakeRows(
      `select concat_ws(' ', if(reverted, 'reverted', null), if(is_stale, 'stale', null)) as flags
       from movers(days := 10, with_history := true) where old_origin = 'history' order by product_id`
    )
    assert.deepStrictEqual(
      rows.map(({ flags }) => flags),
      afterHistory.map(([, , flags]) => flags)
    )
  }
)
