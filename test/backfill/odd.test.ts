import { assert, it } from "@effect/vitest"
import { Result } from "effect"
import * as fc from "fast-check"
import { gzipSync } from "node:zlib"
import { acceptAnswer } from "../../src/store/lake/backfill/storeBackfill.ts"

const span = { product: 1, from: "2026-04-01", to: "2026-05-01" }
const price = fc.oneof(
  fc.integer({ min: 0, max: 9_000_000 }).map((cents) => cents / 100),
  fc.constantFrom(null, -1, 0.00001, 9e12, "12.50", "", true)
)
/** Days of a service that means well, and others: in and out of what was asked for, twice, in other words. */
const row = fc.oneof(
  fc.record(
    {
      date: fc.constantFrom("2026-04-01", "2026-04-02", "2026-05-01", "2026-05-02", "2026-04-31", "1 April", 20260401),
      marketplace: fc.constantFrom("sourceEur", "cardmarket", "eur", "sourceUsd", "tcgplayer", "elsewhere", "", null),
      finish: fc.constantFrom("Standard", "Foil", "\u0000", "", "a\ud800b"),
      currency: fc.constantFrom("EUR", "GBP", "euro", null),
      low: price,
      mid: price,
      high: price,
      marketValue: price,
      note: fc.string({ maxLength: 5 })
    },
    { requiredKeys: [] }
  ),
  fc.constantFrom(null, 1, "2026-04-01", [], {})
)

it("an answer of the price history becomes a row or a refusal with its reason for every row that it has, and none twice", () => {
  fc.assert(
    fc.property(fc.array(row, { maxLength: 30 }), (data) => {
      const text = JSON.stringify({ productId: 1, from: span.from, to: span.to, data })
      const accepted = Result.getOrThrow(acceptAnswer(span, gzipSync(text)))
      assert.lengthOf(data, accepted.days.length + accepted.refused.length)
      const keys = accepted.days.map(({ day, finish, source }) => `${day} ${source} ${finish}`)
      assert.strictEqual(new Set(keys).size, keys.length)
      for (const { position, reason, record } of accepted.refused) {
        assert.notStrictEqual(reason, "")
        assert.deepStrictEqual(JSON.parse(record), JSON.parse(JSON.stringify(data[position])))
      }
      const places = new Set(accepted.refused.map(({ position }) => position))
      assert.strictEqual(places.size, accepted.refused.length)
      const taken = data.filter((_, position) => !places.has(position)) as ReadonlyArray<Record<string, unknown>>
      assert.deepStrictEqual(
        accepted.days.map(({ day, marketValue }) => [day, marketValue]),
        taken.map(({ date, marketValue }) => [date, marketValue ?? null]) as never
      )
    }),
    { numRuns: 500 }
  )
})
