import { assert } from "@effect/vitest"
import { Effect } from "effect"
import { differenceOf, emptyHome, snapshotOf } from "../handMadeNights.ts"
import { card } from "../invented.ts"
import { tableRows } from "../tableRows.ts"
import { testIn } from "../../../support/suite.ts"

/** A card whose market value moved by `change` percent, which is raw text. */
const moved = (id: number, change: string) =>
  JSON.stringify(
    card(id, { pricesByFinish: { Foil: { sourceEur: { currency: "EUR", low: 1, change24h: 0.25, change7d: "X" } } } })
  ).replace('"X"', change)

const sent: ReadonlyArray<readonly [change: string, kept: string | null, text: string | null]> = [
  ["-1.2345", "-1.2345", null],
  ["99999999.9999", "99999999.9999", null],
  ["0.00001", "0.0000", null],
  ["33.333333333333336", "33.3333", null],
  // Halfway: its text counts, also where the double is a little less, or where it is halfway and the text is not.
  ["12.34565", "12.3457", null],
  ["-12.34565", "-12.3457", null],
  ["12.345649999999999999999", "12.3456", null],
  ["1.2345649999999999999999e1", "12.3456", null],
  ["1.00000000000000000001e-7", "0.0000", null],
  // A double rounds it, but it is not money, so its record is not refused.
  ["-66.66666666666666666666666667", "-66.6667", null],
  ["123456789012.5", null, "123456789012.5"],
  ["1e300", null, "1e+300"]
]

testIn(emptyHome)(
  "a percentage with too many digits is rounded and counted, or stored as text; no record is refused for it",
  function* () {
    const { folder, manifest } = yield* snapshotOf("r", {
      products: sent.map(([change], index) => moved(index + 1, change))
    })
    assert.strictEqual(manifest.refused, 0)
    const rows = yield* tableRows(folder, "source_prices")
    assert.deepStrictEqual(
      rows.map(({ change_24h, change_7d, extra, low }) => [low, change_24h, change_7d, extra]),
      sent.map(([, kept, text]) => ["1.0000", "0.2500", kept, text === null ? null : `{"change7d":"${text}"}`])
    )
    assert.deepStrictEqual(
      (yield* tableRows(folder, "drift")).map(({ kind, place, records, word }) => [kind, place, word, records]),
      [["rounded", "source_prices", "change_7d", "10"]]
    )
  }
)

testIn(emptyHome)("that a percentage moved is no change", function* () {
  const dearer = moved(3, "9").replace('"low":1', '"low":2')
  const first = yield* snapshotOf("2026a", { products: [moved(1, "1"), moved(2, "2"), moved(3, "3")] })
  const second = yield* snapshotOf("2026b", { products: [moved(1, "-4.5"), moved(2, "null"), dearer] }, first)
  const changesOf = (from: typeof first, to: typeof first) =>
    Effect.map(differenceOf(from, to), ({ changes, diff }) => [
      diff.changes.products.modified,
      changes.map(({ field, id, new: now, old }) => `${String(id)} ${String(field)} ${String(old)} ${String(now)}`)
    ])
  const low = "3 prices.Foil.sourceEur.low 1 2"
  assert.deepStrictEqual(yield* changesOf(first, second), [1, [low]])
})

testIn(emptyHome)("a record is refused for a price with too many digits", function* () {
  const { manifest } = yield* snapshotOf("m", {
    products: [
      moved(1, "1").replace('"low":1', '"low":1.00001'),
      moved(2, "1").replace('"low":1', '"low":1.00000000000000000000001')
    ]
  })
  assert.strictEqual(manifest.refused, 2)
})
