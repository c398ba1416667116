import { assert, it } from "@effect/vitest"
import { Effect } from "effect"
import { emptyHome } from "../handMadeReading.ts"
import { card } from "../invented.ts"
import { publishNights } from "../publishedNights.ts"
import { lakeRows } from "../tableRows.ts"

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

it.live("movers: reverted is true of a spike that came back, false of a price that stays where it went", () =>
  Effect.gen(function* () {
    const dayOf = (day: number) => ({
      products: series.map(([prices], index) =>
        card(index + 1, { pricesByFinish: { Standard: { sourceEur: { currency: "EUR", marketValue: prices[day] } } } })
      )
    })
    yield* publishNights(Array.from({ length: 9 }, (_, day) => dayOf(day)))
    const flags = Effect.fnUntraced(function* (days: number) {
      const rows = yield* lakeRows(`select product_id, reverted from movers(days := ${days})`)
      const found = new Map(rows.map((row) => [Number(row["product_id"]), row["reverted"]]))
      return series.map((_, index) => found.get(index + 1) ?? null)
    })
    assert.deepStrictEqual(
      yield* flags(4),
      series.map(([, four]) => four)
    )
    assert.deepStrictEqual(
      yield* flags(2),
      series.map(([, , two]) => two)
    )
  }).pipe(Effect.scoped, Effect.provide(emptyHome))
)
