import { assert } from "@effect/vitest"
import { emptyHome, publishNights } from "../handMadeNights.ts"
import { card, expansion } from "../invented.ts"
import { lakeRows, lines } from "../tableRows.ts"
import { testIn } from "../../../support/suite.ts"

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

testIn(emptyHome)(
  "set_value_series: the value of each day's cards, and how the cards moved that both days have",
  function* () {
    const expansions = [expansion(71), expansion(72)]
    yield* publishNights(nights.map((products) => ({ products, expansions })))
    const rows = yield* lakeRows("select day(day), value, cards, like_for_like, compared from set_value_series(71)")
    assert.deepStrictEqual(
      lines(rows),
      // 31 / 30; then times 121 / 111; then times 22 / 11.
      ["1 30.0000 2 100 null", "2 131.0000 3 103.3333 2", "3 121.0000 2 112.6426 2", "4 22.0000 1 225.2853 1"]
    )
    const all = yield* lakeRows(
      "select expansion_id, day(day), value, cards, like_for_like, compared from set_value_series(null)"
    )
    assert.deepStrictEqual(lines(all), [
      "71 1 30.0000 2 100 null",
      "71 2 131.0000 3 103.3333 2",
      "71 3 121.0000 2 112.6426 2",
      "71 4 22.0000 1 225.2853 1",
      "72 3 20.0000 1 100 null",
      "72 4 20.0000 1 100 1"
    ])
    const prices = yield* lakeRows(
      "select product_id, day(day), is_listed, market_value, state from price_series(null, from_day := '2026-05-03')"
    )
    assert.deepStrictEqual(lines(prices), [
      "1 3 true 11.0000 priced",
      "1 4 true 22.0000 priced",
      "2 3 true 20.0000 priced",
      "2 4 true 20.0000 priced",
      "3 3 true 110.0000 priced",
      "3 4 null null not in the catalogue"
    ])
    assert.deepStrictEqual(
      yield* lakeRows(
        "select product_id, day(day) as day, same_day from price_series_in(null, source_name := 'sourceEur', from_day := '2026-05-03', to_day := '2026-05-03')"
      ),
      [11, 20, 110].map((price, index) => ({ product_id: String(index + 1), day: "3", same_day: `${price}.0000` }))
    )
  }
)
