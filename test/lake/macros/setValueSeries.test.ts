import { assert, it } from "@effect/vitest"
import { Effect } from "effect"
import { emptyHome } from "../handMadeReading.ts"
import { card, expansion } from "../invented.ts"
import { publishNights } from "../publishedNights.ts"
import { lakeRows } from "../tableRows.ts"

const inSet = (id: number) => ({ expansionId: id, expansion: { id, code: `M${id}`, name: `Marsh ${id}` } })
const priced = (id: number, marketValue: number, set = 71) =>
  card(id, { ...inSet(set), pricesByFinish: { Standard: { sourceEur: { currency: "EUR", marketValue } } } })

/**
 * Card 3 joins on the second night; card 2 moves to another expansion on the third;
 * card 3 leaves the catalogue on the fourth.
 */
const nights = [
  [priced(1, 10), priced(2, 20)],
  [priced(1, 11), priced(2, 20), priced(3, 100)],
  [priced(1, 11), priced(2, 20, 72), priced(3, 110)],
  [priced(1, 22), priced(2, 20, 72)]
]

it.live("set_value_series: the value of each day's cards, and how the cards moved that both days have", () =>
  Effect.gen(function* () {
    const expansions = [expansion(71), expansion(72)]
    yield* publishNights(nights.map((products) => ({ products, expansions })))
    const rows = yield* lakeRows("select day(day), value, cards, like_for_like, compared from set_value_series(71)")
    assert.deepStrictEqual(
      rows.map((row) => Object.values(row).map(String).join(" ")),
      // 31 / 30; then times 121 / 111; then times 22 / 11.
      ["1 30.0000 2 100 null", "2 131.0000 3 103.3333 2", "3 121.0000 2 112.6426 2", "4 22.0000 1 225.2853 1"]
    )
  }).pipe(Effect.scoped, Effect.provide(emptyHome))
)
