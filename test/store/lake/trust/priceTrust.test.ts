import { assert } from "@effect/vitest"
import { Effect } from "effect"
import { loadRates } from "../../../../src/store/lake/fx/loadRates.ts"
import { homeAfter, publishNights } from "../handMadeNights.ts"
import { rmSync } from "node:fs"
import { sqlText } from "../../../../src/store/lake/duckdb/Lake.ts"
import { Home } from "../../../../src/store/home/Home.ts"
import { runDiff } from "../../../../src/night/run/runDiff.ts"
import { card, expansion, gameId, idOf } from "../invented.ts"
import { fileRows, lakeRows } from "../tableRows.ts"
import { suite } from "../../../support/suite.ts"

/** Nine daily prices in EUR: the first eight, and the last. */
const ends = (before: number, last: number) => [...Array<number>(8).fill(before), last]
/** A price that moves a little every day. */
const calm = Array.from({ length: 9 }, (_, day) => 10 + day / 100)

interface Invented {
  readonly eur: ReadonlyArray<number>
  /** In USD on every day; null = the second source has no price. Default: the same value at 1.10 USD. */
  readonly usd?: number | null
  readonly low?: number
  readonly listings?: number
  readonly set?: 7 | 8
}

/** Cards by the verdict that a person gives their price in EUR on the ninth day. */
const cards: ReadonlyArray<readonly [verdict: string, card: Invented]> = [
  ["ok", { eur: calm }],
  // Twice its usual price, while its set stood still.
  ["jump", { eur: ends(10, 20) }],
  // It came back, so that its last price is a usual one.
  ["ok", { eur: [...ends(10, 20).slice(1), 10] }],
  // It stays where it went: a jump for seven readings, whatever it does there.
  ["jump", { eur: [10, 10, 10, 20, 20.1, 20.2, 20.1, 20.2, 20.1] }],
  // Three readings before the move are needed, and here are two.
  ["ok", { eur: [0, 0, 0, 0, 0, 0, 10, 10, 20] }],
  // The move is 5.1 of its own deviations, and 4.9.
  ["jump", { eur: ends(10, 10 * Math.exp(0.255)) }],
  ["ok", { eur: ends(10, 10 * Math.exp(0.245)) }],
  // All cards of the second set doubled.
  ["ok", { eur: ends(10, 20), set: 8 }],
  ["ok", { eur: ends(3, 6), set: 8 }],
  // 3.01 times its low, and 3 times.
  ["parked", { eur: ends(3, 3.01), low: 1, listings: 0 }],
  ["thin", { eur: ends(2.99, 3), low: 1, listings: 0 }],
  // 23 USD are 20.91 EUR at 1.10, and 22 USD are exactly twice 10 EUR.
  ["disagree", { eur: ends(9.99, 10), usd: 23 }],
  ["ok", { eur: ends(9.99, 10), usd: 22 }],
  // Seven readings with one price, and six.
  ["stale", { eur: [9, 9, 10, 10, 10, 10, 10, 10, 10] }],
  ["ok", { eur: [9, 9, 9, 10, 10, 10, 10, 10, 10] }],
  ["thin", { eur: calm, listings: 2 }],
  ["single source", { eur: calm, usd: null }]
]

const prices = ({ eur, listings = 3, low = 5, usd }: Invented, day: number) => ({
  ...(eur[day] === 0 ? {} : { sourceEur: { currency: "EUR", low, marketValue: Number(eur[day]?.toFixed(4)) } }),
  ...(usd === null
    ? {}
    : { sourceUsd: { currency: "USD", marketValue: usd ?? Number(((eur[day] || 10) * 1.1).toFixed(2)) } }),
  ...(listings === 0
    ? {}
    : {
        marketplace: {
          low: { amount: 1, currency: "EUR" },
          listingCount: listings,
          availableQuantity: 9,
          regions: { eu: { currency: "EUR", low: 1, listingCount: listings, availableQuantity: 9, byCondition: {} } }
        }
      })
})

const nineNights = homeAfter(function* () {
  const text = "Date,USD\n2026-05-08,1.1\n"
  yield* loadRates(idOf("fx"), { source: "rates.csv", text, loadedAt: "2026-05-09T00:00:00Z" })
  yield* publishNights(
    Array.from({ length: 9 }, (_, day) => ({
      expansions: [expansion(7), expansion(8)],
      products: cards.map(([, one], id) =>
        card(id, {
          expansionId: one.set ?? 7,
          expansion: { id: one.set ?? 7, code: `M${one.set ?? 7}`, name: `Marsh ${one.set ?? 7}` },
          pricesByFinish: { Standard: prices(one, day) }
        })
      )
    }))
  )
})

const verdicts = (call: string, source = "sourceEur") =>
  Effect.map(lakeRows(`select verdict from ${call} where source = '${source}' order by product_id`), (rows) =>
    rows.map((row) => String(row["verdict"]))
  )

suite(nineNights, "price_trust", (it) => {
  it("gives each price the verdict that a person gives it", function* () {
    assert.deepStrictEqual(
      yield* verdicts("price_trust()"),
      cards.map(([verdict]) => verdict)
    )
  })

  it("has the figures behind a verdict", function* () {
    const figures = yield* lakeRows(
      `select product_id::integer as id, jumped_at::date::varchar as jumped_on, usual, deviations, set_percent, unchanged, listing_count, sources, other_value
       from price_trust() where source = 'sourceEur' and product_id in (1, 3, 11) order by 1`
    )
    const [jump, stays, apart] = figures.map((row) =>
      Object.values(row).map((value) => (value === null ? null : String(value)))
    )
    // ln 2 is 13.9 times 0.05. Of fifteen moves in the set, the eighth is from 9.99 to 10.
    assert.deepStrictEqual(jump, ["1", "2026-05-09", "10", "13.9", "0.1", "1", "3", "2", "20.0000"])
    assert.deepStrictEqual(stays?.slice(0, 3), ["3", "2026-05-04", "10"])
    assert.deepStrictEqual(apart, ["11", null, null, null, null, "1", "3", "2", "20.9091"])
  })

  it("knows nothing of later readings, and is what movers says", function* () {
    const before = yield* verdicts("price_trust('2026-05-08 12:00')")
    assert.deepStrictEqual([before[1], before[3], before[5], before[9]], ["stale", "jump", "stale", "stale"])
    assert.deepStrictEqual(
      yield* verdicts("movers(days := 8, min_price := 0, source_name := 'sourceEur')"),
      yield* verdicts(
        "price_trust() semi join movers(days := 8, min_price := 0) using (game_id, product_id, finish, source)"
      )
    )
  })
  it("is with the moves of release notes; a lake that cannot compute it is a failure, no lake is none", function* () {
    const doubts = Effect.map(runDiff({ gameId, from: null, to: null }), ({ sections }) =>
      sections.flatMap(({ lines }) => lines.flatMap(({ id, trust }) => (trust == null ? [] : [`${id} ${trust}`])))
    )
    assert.include(yield* doubts, "1 jump")
    const { lake } = yield* Home
    rmSync(lake)
    assert.deepStrictEqual(yield* doubts, [])
    yield* fileRows(
      `attach ${sqlText(lake)} as broken; create macro broken.price_trust() as table select 1; detach broken`
    )
    assert.include((yield* Effect.flip(doubts)).message, "Read the trust in prices")
  })
})
