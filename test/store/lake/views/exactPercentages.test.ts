import { assert } from "@effect/vitest"
import { emptyHome, publishNights } from "../handMadeNights.ts"
import { card } from "../invented.ts"
import { lakeRows } from "../tableRows.ts"
import { testIn } from "../../../support/suite.ts"

/**
 * From 2.24 to so many cents is an exact half of a hundredth of a percent, of which the nearest double lies below it:
 * the percentages of the move, and of the new price as a share of the old, by long division.
 */
const moves: ReadonlyArray<readonly [cents: number, percent: number, ofHigh: number | null]> = [
  [35, -84.38, 15.63],
  [105, -53.13, 46.88],
  [259, 15.63, null],
  [273, 21.88, null],
  [91, -59.38, 40.63],
  [231, 3.13, null],
  [441, 96.88, null]
]

testIn(emptyHome)("a percentage that is an exact half is rounded away from zero, as by hand", function* () {
  const night = (centsOf: (cents: number) => number) => ({
    products: moves.map(([cents], index) => {
      const marketValue = centsOf(cents) / 100
      const block = { currency: "EUR", low: 2.24, mid: 2.24, high: marketValue, marketValue }
      return card(index + 1, { pricesByFinish: { Standard: { sourceEur: block } } })
    })
  })
  yield* publishNights([night(() => 224), night((cents) => cents)])
  const moved = yield* lakeRows("select product_id, percent from movers(min_price := 0) order by all")
  assert.deepStrictEqual(
    moved.map((row) => row["percent"]),
    moves.map(([, percent]) => percent)
  )
  const shares = yield* lakeRows(
    "select percent_of_high from price_extremes where percent_of_high < 100 order by product_id"
  )
  assert.deepStrictEqual(
    shares.map((row) => row["percent_of_high"]),
    moves.flatMap(([, , share]) => share ?? [])
  )
  const spreads = yield* lakeRows("select low_to_high from price_spreads order by product_id")
  assert.deepStrictEqual(
    spreads.map((row) => row["low_to_high"]),
    moves.map(([, percent]) => percent)
  )
})
