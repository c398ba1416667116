import { assert, describe, it } from "@effect/vitest"
import { Effect, Result } from "effect"
import * as fc from "fast-check"
import { globSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { gzipSync } from "node:zlib"
import { acceptAnswer } from "../../src/store/lake/backfill/batchAnswers.ts"
import { exportTo, temporaryFolder } from "../warehouse/FourNights.ts"
import { onDay } from "../homes/frozenHome.ts"
import { card, expansion } from "../store/lake/invented.ts"
import { tinyMarketplace } from "../safety/tinyNights.ts"
import { backfill, valuesOf } from "./Backfilled.ts"
import { eurRow, historyOf, historyServer, send } from "./historyServer.ts"
import { live } from "../support/suite.ts"

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

describe("an answer of the price history", () => {
  it("becomes a row or a refusal with its reason for every row that it has, and none twice", () => {
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
})

describe("somebody else's history", () => {
  live.full(
    "with gaps, days twice, two words, nulls and another currency is in the lake and in a drop, row by row",
    function* () {
      const eur = (marketValue: number) =>
        card(1, { pricesByFinish: { Standard: { sourceEur: { currency: "EUR", marketValue } } } })
      const days = [{ expansions: [expansion(1)], products: [eur(5), card(2), card(3)] }]
      const home = yield* (yield* tinyMarketplace({ days })).newHome
      yield* home.night.pipe(onDay("05-01"))
      const server = yield* historyServer((one, response) => {
        if (one.product === 2) return send(response, '{"code":"PRODUCT_NOT_FOUND","message":"","data":{}}', 404)
        // Merged into another id.
        if (one.product === 3) return send(response, historyOf({ ...one, product: 1 }, [eurRow("2026-04-02", 1)]))
        const rows = [
          eurRow("2026-04-01", 4),
          eurRow("2026-04-01", 4),
          eurRow("2026-04-01", 4.5, { marketplace: "cardmarket" }),
          eurRow("2026-04-20", 3, { currency: "GBP" }),
          { date: "2026-04-21", marketplace: "tcgplayer", finish: "Standard", low: null, marketValue: null },
          eurRow("2026-05-01", 6, { currency: "GBP" })
        ]
        send(response, historyOf(one, rows))
      })
      const { games } = yield* backfill(home, { where: "true" }, server).pipe(onDay("05-02"))
      assert.deepInclude(games[0], { stored: 1, rows: 4, refusedRows: 2, refused: 1, notFound: 1, left: 0 })
      const night = yield* home.night.pipe(onDay("05-02"))
      assert.deepStrictEqual(night.backfills, [
        { gameId: "hollowmere", answers: 3, products: 3, prices: 4, refusedPrices: 2, refusedAnswers: 1, reason: null }
      ])
      assert.deepStrictEqual(
        yield* valuesOf(
          home,
          "select day::varchar, source, currency, market_value from backfilled_prices order by day"
        ),
        [
          ["2026-04-01", "sourceEur", "EUR", 4],
          ["2026-04-20", "sourceEur", "GBP", 3],
          ["2026-04-21", "sourceUsd", "USD", null],
          ["2026-05-01", "sourceEur", "GBP", 6]
        ]
      )
      assert.deepStrictEqual(yield* valuesOf(home, "select position, reason from backfill_refusals order by 1"), [
        [1, "An earlier row has this day, source and finish"],
        [2, "An earlier row has this day, source and finish"]
      ])
      assert.deepStrictEqual(
        yield* valuesOf(home, "select product_id, status, prices, refused, reason from backfills order by 1"),
        [
          [1, "stored", 4, 2, null],
          [2, "not found", 0, 0, null],
          [3, "refused", 0, 0, "It is of product 1"]
        ]
      )
      assert.deepStrictEqual(
        yield* valuesOf(home, "select ours, theirs, percent, their_currency, finding from backfill_against_nights"),
        [[5, 6, null, "GBP", "other currency"]]
      )
      const folder = yield* temporaryFolder
      yield* Effect.provideContext(exportTo(folder), home.services)
      for (const table of ["backfilled_prices", "backfills", "backfill_refusals"]) {
        const dropped = globSync(`${table}/*/*/*/_manifest.json`, { cwd: folder }).map(
          (name) => (JSON.parse(readFileSync(join(folder, name), "utf8")) as { rows: number }).rows
        )
        const [inLake] = yield* valuesOf(home, `select count(*) from ${table}`)
        assert.deepStrictEqual([dropped.reduce((sum, rows) => sum + rows, 0)], inLake, table)
      }
    }
  )
})
