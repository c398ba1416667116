import { assert } from "@effect/vitest"
import { Effect, Layer } from "effect"
import { runDiff } from "../../../src/night/run/runDiff.ts"
import { notesDocument } from "../../../src/desk/notes/notesDocument.ts"
import type { NoteSectionName } from "../../../src/desk/notes/noteSections.ts"
import { emptyHome, snapshotOf } from "../lake/handMadeNights.ts"
import { card, gameId, type Json, sealed } from "../lake/invented.ts"
import { changelogOf } from "./changelogOf.ts"
import { shared, suite } from "../../support/suite.ts"

const priced = (id: number, marketValue: number | undefined, more: Json = {}) =>
  card(id, {
    pricesByFinish: { Foil: { sourceUsd: { currency: "USD", ...(marketValue === undefined ? {} : { marketValue }) } } },
    ...more
  })
/** Market values before and after, one card each. */
const moves: ReadonlyArray<readonly [id: number, before: number | undefined, after: number | undefined]> = [
  [101, 1.5, 1.8],
  [102, 2.5, 2.0001],
  [103, 0.9, 1.0799],
  [104, 0.02, 0.99],
  [105, 1, 0],
  [106, 0, 5],
  [107, 8999999999.9999, 1.0001],
  [108, undefined, 7],
  [109, 7, undefined],
  [110, 0.2001, 1],
  [111, 0.99, undefined],
  // An exact half of a tenth of a percent: by hand 31.3, of the double's own digits 31.2.
  [112, 16, 21]
]
const low = (id: number, eur: Json | undefined) =>
  card(id, { pricesByFinish: { Standard: eur === undefined ? {} : { sourceEur: { currency: "EUR", ...eur } } } })

const before = [
  ...moves.map(([id, value]) => priced(id, value)),
  low(201, { low: 3 }),
  low(202, { low: 3 }),
  low(203, { low: 3, marketValue: 4 }),
  low(204, { low: 3, marketValue: 4 }),
  priced(401, 12.5, { finishes: ["Foil"] }),
  low(402, { low: 1, marketValue: 2 }),
  low(403, { low: 1 }),
  priced(301, 40, { name: "Pike", printNumber: "31", expansionId: 7 })
]
const after = [
  ...moves.map(([id, , value]) => priced(id, value)),
  low(201, undefined),
  low(202, { low: 0, marketValue: 5 }),
  low(203, { low: 3 }),
  low(204, { low: 2, marketValue: 4 }),
  priced(404, 0.35, { finishes: ["Foil"] }),
  priced(405, 100.01, { finishes: ["Foil"] }),
  sealed(406),
  priced(301, 9000, { name: "Rook", printNumber: "32", expansionId: 8 })
]

type Found = Effect.Success<ReturnType<typeof runDiff>>
const Notes = shared("Notes", function* () {
  const changelog = changelogOf({})
  const a = yield* snapshotOf("a", { products: before, changelog })
  yield* snapshotOf("b", { products: after, changelog }, a)
  return {
    forward: yield* runDiff({ gameId, from: "a", to: "b" }, { shown: 200, minMove: 20, minPrice: 1 }),
    tight: yield* runDiff({ gameId, from: "a", to: "b" }, { shown: 1, minMove: 20.1, minPrice: 1.0001 })
  }
})
const notes = Layer.provide(Notes.layer, emptyHome)

const sectionOf = (found: Found, name: NoteSectionName) => found.sections.find(({ section }) => section === name)
const linesOf = (found: Found, name: NoteSectionName) => sectionOf(found, name)?.lines ?? []

suite(notes, "release notes on prices", (it) => {
  const test = (name: string, run: (found: typeof Notes.Service) => void) => it(name, () => Effect.map(Notes, run))

  test("list price moves from the bound on, the greatest change in money first, with exact figures", ({ forward }) =>
    assert.deepStrictEqual(
      linesOf(forward, "moves").map(
        ({ change, currency, id, moved, name, new: now, old }) =>
          `${id} ${name} ${old} ${now} ${currency} ${change} ${moved}`
      ),
      [
        "107 Wicker Hound 107 8999999999.9999 1.0001 USD -8999999998.9998 -100.0 %",
        "112 Wicker Hound 112 16 21 USD +5 +31.3 %",
        "110 Wicker Hound 110 0.2001 1 USD +0.7999 +399.8 %",
        "101 Wicker Hound 101 1.5 1.8 USD +0.3 +20.0 %"
      ]
    ))

  test("count moves from 0, which have no percentage, and all others by their size", ({ forward }) => {
    assert.strictEqual(forward.movesFromZero, 1)
    assert.deepStrictEqual(
      forward.moveSizes.filter(({ moves }) => moves > 0),
      [
        { over: -100, upTo: -50, moves: 1 },
        { over: -20, upTo: -10, moves: 1 },
        { over: 10, upTo: 20, moves: 1 },
        { over: 20, upTo: 50, moves: 2 },
        { over: 100, upTo: null, moves: 1 }
      ]
    )
  })

  test("list prices that are gone: no figure any more, or a market value of 0, which is no price", ({
    forward,
    tight
  }) => {
    assert.deepStrictEqual(
      linesOf(forward, "vanished").map((line) => Object.values(line).filter((text) => text !== null)),
      [
        ["Wicker Hound 109", "109", "Foil", "sourceUsd", "market value", "7", "USD"],
        ["Wicker Hound 203", "203", "Standard", "sourceEur", "market value", "4", "EUR"],
        ["Wicker Hound 201", "201", "Standard", "sourceEur", "low", "3", "EUR"],
        ["Wicker Hound 105", "105", "Foil", "sourceUsd", "market value", "1", "USD"]
      ]
    )
    assert.strictEqual(sectionOf(tight, "vanished")?.total, 3)
  })

  // By hand: 12.50 dollars and 2 euros left, 0.35 + 100.01 dollars came; 403 has no market value.
  test("say what added and removed products are worth", ({ forward }) => {
    assert.deepStrictEqual(forward.values, [
      { section: "added", currency: "USD", value: "100.36", products: 2 },
      { section: "removed", currency: "EUR", value: "2", products: 1 },
      { section: "removed", currency: "USD", value: "12.5", products: 1 }
    ])
    const added = notesDocument(forward).sections.find(({ id }) => id === "added")
    assert.strictEqual(
      added?.tables[0]?.caption,
      "New in the catalogue. Market value of one of each: 100.36 USD (2 products)."
    )
    assert.strictEqual(linesOf(forward, "added").find((line) => line["id"] === "406")?.["kind"], "booster box")
    assert.deepStrictEqual(
      linesOf(forward, "removed").map(({ currency, id, market_value }) => [id, market_value, currency]),
      [
        ["401", "12.5", "USD"],
        ["402", "2", "EUR"],
        ["403", null, null]
      ]
    )
  })

  test("list no price of an id that now belongs to another product", ({ forward }) => {
    assert.deepStrictEqual(
      linesOf(forward, "reused").map(({ id }) => id),
      ["301"]
    )
    for (const line of [...linesOf(forward, "moves"), ...linesOf(forward, "vanished"), ...forward.prices]) {
      assert.notStrictEqual(line["id"], "301")
    }
  })

  test("list the largest moves: what moved, with its percentage and currency", ({ forward }) => {
    assert.deepStrictEqual(
      forward.prices.map((line) => Object.values(line)),
      [
        ["107", "Wicker Hound 107", "Foil", "sourceUsd", "8999999999.9999", "1.0001", "USD", "-100.0 %"],
        ["112", "Wicker Hound 112", "Foil", "sourceUsd", "16", "21", "USD", "+31.3 %"],
        ["104", "Wicker Hound 104", "Foil", "sourceUsd", "0.02", "0.99", "USD", "+4850.0 %"],
        ["110", "Wicker Hound 110", "Foil", "sourceUsd", "0.2001", "1", "USD", "+399.8 %"],
        ["102", "Wicker Hound 102", "Foil", "sourceUsd", "2.5", "2.0001", "USD", "-20.0 %"],
        ["101", "Wicker Hound 101", "Foil", "sourceUsd", "1.5", "1.8", "USD", "+20.0 %"],
        ["103", "Wicker Hound 103", "Foil", "sourceUsd", "0.9", "1.0799", "USD", "+20.0 %"]
      ]
    )
  })

  test("keep to other bounds where they are given", ({ tight }) => {
    const section = sectionOf(tight, "moves")
    assert.deepStrictEqual([section?.total, section?.lines[0]?.["id"], section?.products], [2, "107", 2])
  })
})
