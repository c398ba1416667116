import { assert } from "@effect/vitest"
import { Effect, Layer } from "effect"
import { runDiff } from "../../../src/night/run/runDiff.ts"
import { diffPrinted } from "../../../pipelines/print/diffPrinted.ts"
import { notesDocument } from "../../../src/desk/notes/notesDocument.ts"
import type { NoteSectionName } from "../../../src/desk/notes/noteSections.ts"
import type { Difference } from "../../../src/desk/notes/readReleaseNotes.ts"
import { emptyHome, snapshotOf } from "../lake/handMadeNights.ts"
import { card, expansion, gameId } from "../lake/invented.ts"
import { changelogOf } from "./changelogOf.ts"
import { shared, suite } from "../../support/suite.ts"

const odd = `<b>"A & B"</b> | _x_ 'é'\n<script>alert(1)</script> https://example.com`
const embedded = (id: number, name: string, code: string) => ({ expansionId: id, expansion: { id, name, code } })
const eur = (...ids: ReadonlyArray<number>) => ({ sourceEur: ids.map((id) => ({ finish: "Foil", id })) })

const before = {
  expansions: [expansion(7, { name: "Fen", slug: "fen" }), expansion(8, { name: "Bog", cardCount: 3 })],
  products: [
    card(1, { name: odd, ...embedded(7, "Fen", "F") }),
    card(2, { name: "Old Moth", nameSlug: "old-moth", ...embedded(7, "Fen", "F") }),
    card(3, { name: "Newt", ...embedded(7, "Fen", "F"), printNumber: "1" }),
    card(4, { name: "Otter", externalIds: { ...eur(1, 2), mtgId: "m1" } }),
    card(5, { rarity: "rare" }),
    card(6, { rarity: "rare" }),
    card(7, { name: odd, ...embedded(7, "Fen", "F"), printNumber: "7" })
  ]
}
const after = {
  expansions: [expansion(7, { name: "The Fen", slug: "the-fen" }), expansion(8, { name: "Bog", cardCount: 4 })],
  products: [
    card(2, { name: "Moth", nameSlug: "moth", ...embedded(7, "The Fen", "F") }),
    card(3, { name: "Newt", ...embedded(8, "Bog", "B"), printNumber: "1", variant: "Showcase" }),
    card(4, { name: "Otter", externalIds: { ...eur(2, 3), mtgId: "m1", fabId: "f" } }),
    card(5, { rarity: "common" }),
    card(6, { rarity: "common" }),
    card(7, { name: `${odd}!`, ...embedded(7, "The Fen", "F"), printNumber: "7" })
  ]
}

const Notes = shared("Notes", function* () {
  const a = yield* snapshotOf("a", { ...before, changelog: changelogOf({}) })
  yield* snapshotOf("b", { ...after, changelog: changelogOf({}, { products: { added: [{ slug: "nobody" }] } }) }, a)
  const asked = (from: string, to: string, shown = 200) =>
    runDiff({ gameId, from, to }, { shown, minMove: 20, minPrice: 1 })
  return {
    forward: yield* asked("a", "b"),
    tight: yield* asked("a", "b", 1),
    backward: yield* asked("b", "a"),
    none: yield* asked("b", "b")
  }
})
const notes = Layer.provide(Notes.layer, emptyHome)

const linesOf = (found: Difference, name: NoteSectionName) =>
  found.sections.find(({ section }) => section === name)?.lines ?? []
const valuesOf = (found: Difference, name: NoteSectionName) =>
  linesOf(found, name).map((line) => Object.values(line).map((value) => value ?? "-"))

suite(notes, "release notes", (it) => {
  const test = (name: string, run: (found: typeof Notes.Service) => void) => it(name, () => Effect.map(Notes, run))

  test("say how many items a section has, how many lines it leaves out, and where all of them are", ({ tight }) => {
    const { foot, sections } = notesDocument(tight)
    const { amount, count, more } = sections.find(({ id }) => id === "renamed") ?? {}
    assert.deepStrictEqual([amount, count, more], ["2 products, 1 expansion", 3, 2])
    assert.deepStrictEqual(foot, [
      "All changes, field by field: ",
      { code: "cardlake diff hollowmere a b --format csv" }
    ])
  })

  test("list names and slugs of products and expansions that changed under the same id", ({ forward }) =>
    assert.deepStrictEqual(valuesOf(forward, "renamed").slice(0, 1).concat(valuesOf(forward, "renamed").slice(2)), [
      ["expansion", "7", "Fen", "The Fen", "fen", "the-fen"],
      ["product", "2", "Old Moth", "Moth", "old-moth", "moth"]
    ]))

  test("say where a card was and where it is now", ({ forward }) =>
    assert.deepStrictEqual(valuesOf(forward, "moved"), [["Newt", "3", "Fen · 1", "Bog · 1 · Showcase"]]))

  test("list changed external ids system by system", ({ forward }) =>
    assert.deepStrictEqual(valuesOf(forward, "remapped"), [
      ["Otter", "4", "fabId", "-", "f"],
      ["Otter", "4", "sourceEur", "Foil 1, Foil 2", "Foil 2, Foil 3"]
    ]))

  test("sum up other changed fields, except those that follow from a move", ({ forward }) =>
    assert.deepStrictEqual(valuesOf(forward, "edited"), [
      ["expansion", "card_count", "1", "3", "4", "1"],
      ["product", "expansion_name", "2", "Fen", "The Fen", "2"],
      ["product", "rarity", "2", "rare", "common", "2"]
    ]))

  test("list what the changelog does not explain, with claims of items that nobody knows", ({ forward }) => {
    const section = forward.sections.find(({ section }) => section === "unexplained")
    assert.strictEqual(section?.total, forward.reconciliation?.unexplained)
    assert.include(
      valuesOf(forward, "unexplained").map((line) => line.join(" ")),
      "product - nobody added - claimed_not_seen"
    )
  })

  test("are reversed when asked for backwards, and then claim nothing", ({ backward, forward }) => {
    assert.deepStrictEqual(valuesOf(backward, "added"), valuesOf(forward, "removed"))
    assert.deepStrictEqual(valuesOf(backward, "moved"), [["Newt", "3", "Bog · 1 · Showcase", "Fen · 1"]])
    assert.deepStrictEqual(linesOf(backward, "unexplained"), [])
    assert.include(diffPrinted.table(backward), "Changelog: not compared, because the second snapshot is older")
  })

  test("of a snapshot and itself are empty", ({ none }) => {
    assert.deepStrictEqual(none.sections, [])
    assert.deepInclude(notesDocument(none).intro, { sentence: "No changes." })
  })
})
