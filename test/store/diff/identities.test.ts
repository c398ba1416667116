import { assert } from "@effect/vitest"
import { Effect, Layer } from "effect"
import { runDiff } from "../../../src/night/run/runDiff.ts"
import { emptyHome, snapshotOf } from "../lake/handMadeNights.ts"
import { card, gameId, type Json, sealed } from "../lake/invented.ts"
import { changelogOf } from "./changelogOf.ts"
import { shared, suite } from "../../support/suite.ts"

/** The products of one fact, which no other fact has, and the lines expected of them. */
interface Fact {
  readonly before: ReadonlyArray<Json>
  readonly after: ReadonlyArray<Json>
  readonly expected: ReadonlyArray<string>
}
type FactOf = (words: ReturnType<typeof wordsOf>) => Fact

const wordsOf = (place: number) => {
  const idOf = (id: number) => place * 100 + id
  const named = (id: number, name: string, more: Json) => ({
    id: idOf(id),
    name: `${name}.${place}`,
    nameSlug: `${name}-${idOf(id)}`,
    expansionId: 7,
    printNumber: "012",
    ...more
  })
  return {
    card: (id: number, name: string, more: Json = {}) => card(0, named(id, name, more)),
    sealed: (id: number, name: string, more: Json = {}) => sealed(0, named(id, name, more)),
    /** External ids of the EUR source by finish; no other fact has the same ones. */
    eur: (...ids: ReadonlyArray<readonly [finish: string, id: number]>) => ({
      externalIds: { sourceEur: ids.map(([finish, id]) => ({ finish, id: idOf(id) })) }
    }),
    own: (system: string, id: string) => ({ externalIds: { [system]: `${id}.${place}` } }),
    place
  }
}

const facts: Readonly<Record<string, FactOf>> = {
  "replaced: the same name at the same place under a new id": ({ card }) => ({
    before: [card(1, "moth")],
    after: [card(2, "moth")],
    expected: ["replaced 1 2 print"]
  }),
  "replaced: another name, but the same slug at the same place": ({ card }) => ({
    before: [card(1, "moth", { nameSlug: "moth-of-the-fen" })],
    after: [card(2, "fen-moth", { nameSlug: "moth-of-the-fen" })],
    expected: ["replaced 1 2 print"]
  }),
  "replaced: sealed products too, which have no print number": ({ sealed }) => ({
    before: [sealed(1, "box")],
    after: [sealed(2, "box")],
    expected: ["replaced 1 2 print"]
  }),
  "replaced: another name and place, but the external id of the same finish": ({ card, eur }) => ({
    before: [card(1, "moth", eur(["Foil", 50]))],
    after: [card(2, "newt", { printNumber: "9", ...eur(["Foil", 50]) })],
    expected: ["replaced 1 2 sourceEur"]
  }),
  "replaced: known by everything that the two have in common": ({ card, eur }) => ({
    before: [card(1, "moth", eur(["Foil", 50]))],
    after: [card(2, "moth", eur(["Foil", 50]))],
    expected: ["replaced 1 2 print, sourceEur"]
  }),
  "replaced: by a printing id": ({ card, own }) => ({
    before: [card(1, "moth", own("mtgId", "m"))],
    after: [card(2, "newt", own("mtgId", "m"))],
    expected: ["replaced 1 2 mtgId"]
  }),
  "not the same: the id that every printing shares": ({ card, own }) => ({
    before: [card(1, "moth", own("mtgOracleId", "o"))],
    after: [card(2, "newt", own("mtgOracleId", "o"))],
    expected: ["added 2", "removed 1"]
  }),
  "not the same: the external id of another finish": ({ card, eur }) => ({
    before: [card(1, "moth", eur(["Foil", 50]))],
    after: [card(2, "newt", eur(["Standard", 50]))],
    expected: ["added 2", "removed 1"]
  }),
  "not the same: another variant, print number, expansion or kind of product": ({ card, sealed }) => ({
    before: [card(1, "moth"), card(2, "newt"), card(3, "otter"), sealed(4, "pike"), sealed(5, "rook")],
    after: [
      card(6, "moth", { variant: "Showcase" }),
      card(7, "newt", { printNumber: "013" }),
      card(8, "otter", { expansionId: 8 }),
      card(9, "pike"),
      sealed(10, "rook", { productCategory: "bundle" })
    ],
    expected: [6, 7, 8, 9, 10].map((id) => `added ${id}`).concat([1, 2, 3, 4, 5].map((id) => `removed ${id}`))
  }),
  "ambiguous: two that went for one that came": ({ card }) => ({
    before: [card(1, "moth"), card(2, "moth")],
    after: [card(3, "moth")],
    expected: ["added 3", "removed 1", "removed 2"]
  }),
  "ambiguous: one that went for two that came": ({ card, eur }) => ({
    before: [card(1, "moth", eur(["Foil", 50]))],
    after: [card(2, "newt", eur(["Foil", 50])), card(3, "otter", eur(["Foil", 50]))],
    expected: ["added 2", "added 3", "removed 1"]
  }),
  "ambiguous: the place says one, the external id another": ({ card, eur }) => ({
    before: [card(1, "moth", eur(["Foil", 50]))],
    after: [card(2, "moth"), card(3, "newt", eur(["Foil", 50]))],
    expected: ["added 2", "added 3", "removed 1"]
  }),
  "told apart by their place where several share an external id": ({ card, eur }) => ({
    before: [card(1, "moth", eur(["Foil", 50])), card(2, "newt", eur(["Foil", 50]))],
    after: [card(3, "moth", eur(["Foil", 50])), card(4, "newt", eur(["Foil", 50]))],
    expected: ["replaced 1 3 print", "replaced 2 4 print"]
  }),
  "merged: its external id is now on one that was there": ({ card, eur }) => ({
    before: [card(1, "moth", eur(["Foil", 50])), card(2, "newt")],
    after: [card(2, "newt", eur(["Foil", 50]))],
    expected: ["merged 1 2 sourceEur", "remapped 2"]
  }),
  "merged: several into one": ({ card, eur }) => ({
    before: [card(1, "moth", eur(["Foil", 50])), card(2, "newt", eur(["Standard", 51])), card(3, "otter")],
    after: [card(3, "otter", eur(["Foil", 50], ["Standard", 51]))],
    expected: ["merged 1 3 sourceEur", "merged 2 3 sourceEur", "remapped 3"]
  }),
  "merged: into the one that took the id over, though others had it all along": ({ card, eur }) => ({
    before: [card(1, "moth", eur(["Foil", 50])), card(2, "newt"), card(3, "otter", eur(["Foil", 50]))],
    after: [card(2, "newt", eur(["Foil", 50])), card(3, "otter", eur(["Foil", 50]))],
    expected: ["merged 1 2 sourceEur", "remapped 2"]
  }),
  "merged: a duplicate with the same card and external id was cleared away": ({ card, eur }) => ({
    before: [card(1, "moth", eur(["Foil", 50])), card(2, "moth", eur(["Foil", 50]))],
    after: [card(2, "moth", eur(["Foil", 50]))],
    expected: ["merged 1 2 sourceEur"]
  }),
  "not merged: the other had the id all along and is another card": ({ card, eur }) => ({
    before: [card(1, "moth", eur(["Foil", 50])), card(2, "moth", { variant: "Showcase", ...eur(["Foil", 50]) })],
    after: [card(2, "moth", { variant: "Showcase", ...eur(["Foil", 50]) })],
    expected: ["removed 1"]
  }),
  "not merged: two took the id over": ({ card, eur }) => ({
    before: [card(1, "moth", eur(["Foil", 50])), card(2, "newt"), card(3, "otter")],
    after: [card(2, "newt", eur(["Foil", 50])), card(3, "otter", eur(["Foil", 50]))],
    expected: ["remapped 2", "remapped 3", "removed 1"]
  }),
  "reused id: another name, print number and expansion": ({ card }) => ({
    before: [card(1, "moth")],
    after: [card(1, "newt", { printNumber: "9", expansionId: 8 })],
    expected: ["reused 1"]
  }),
  "reused id: a card that is now sealed": ({ card, sealed }) => ({
    before: [card(1, "moth")],
    after: [sealed(1, "moth")],
    expected: ["reused 1"]
  }),
  "not reused: another name and print number in the same expansion, and no external id to tell": ({ card, eur }) => ({
    before: [card(1, "moth"), card(2, "otter", eur(["Foil", 50]))],
    after: [card(1, "newt", { printNumber: "9" }), card(2, "pike", { printNumber: "8" })],
    expected: ["moved 1", "moved 2", "remapped 2", "renamed 1", "renamed 2"]
  }),
  "reused id: in one expansion, where name, slug, print number and every external id differ": ({ card, eur, own }) => ({
    before: [card(1, "moth", { externalIds: { ...eur(["Foil", 50]).externalIds, ...own("mtgId", "m").externalIds } })],
    after: [
      card(1, "newt", {
        printNumber: "9",
        externalIds: { ...eur(["Foil", 51], ["Standard", 52]).externalIds, ...own("mtgId", "n").externalIds }
      })
    ],
    expected: ["reused 1"]
  }),
  "reused id: a sealed product of another expansion with another name, slug and external id": ({ eur, sealed }) => ({
    before: [sealed(1, "box", eur(["Standard", 50]))],
    after: [sealed(1, "case", { expansionId: 8, ...eur(["Standard", 51]) })],
    expected: ["reused 1"]
  }),
  "reused id: the id that every printing shares does not make it the same": ({ card, own }) => ({
    before: [card(1, "moth", own("mtgOracleId", "o"))],
    after: [card(1, "newt", { printNumber: "9", expansionId: 8, ...own("mtgOracleId", "o") })],
    expected: ["reused 1"]
  }),
  "not reused: an external id in common, whatever else is different": ({ card, eur }) => ({
    before: [card(1, "moth", eur(["Foil", 50], ["Standard", 51]))],
    after: [card(1, "newt", { printNumber: "9", expansionId: 8, ...eur(["Standard", 50]) })],
    expected: ["moved 1", "remapped 1", "renamed 1"]
  }),
  "not reused: the slug or the print number is as it was": ({ card, eur }) => ({
    before: [card(1, "moth", { nameSlug: "m", ...eur(["Foil", 50]) }), card(2, "newt", eur(["Foil", 51]))],
    after: [
      card(1, "otter", { nameSlug: "m", printNumber: "9", ...eur(["Foil", 52]) }),
      card(2, "pike", eur(["Foil", 53]))
    ],
    expected: ["moved 1", "remapped 1", "remapped 2", "renamed 1", "renamed 2"]
  }),
  "not reused: a card that is now sealed with the same external ids is an edit": ({ card, eur, sealed }) => ({
    before: [card(1, "moth", { printNumber: undefined, ...eur(["Standard", 50]) })],
    after: [sealed(1, "moth", { printNumber: undefined, ...eur(["Standard", 50]) })],
    expected: []
  }),
  "not merged: a reused id is another product now": ({ card, eur }) => ({
    before: [card(1, "moth", eur(["Foil", 50])), card(2, "newt")],
    after: [card(2, "moth", { printNumber: "9", expansionId: 8, ...eur(["Foil", 50]) })],
    expected: ["removed 1", "reused 2"]
  })
}

const written = Object.entries(facts).map(([name, factOf], index) => {
  const place = index + 1
  const { after, before, expected } = factOf(wordsOf(place))
  return { name, place, before, after, expected }
})

/** All facts share one pair of readings, because even a small reading takes long. */
const Notes = shared("Notes", function* () {
  const changelog = changelogOf({})
  const a = yield* snapshotOf("a", { products: written.flatMap(({ before }) => before), changelog })
  yield* snapshotOf("b", { products: written.flatMap(({ after }) => after), changelog }, a)
  return yield* runDiff({ gameId, from: "a", to: "b" }, { shown: 1000, minMove: 0, minPrice: 0 })
})
const notes = Layer.provide(Notes.layer, emptyHome)

suite(notes, "a product", (it) => {
  for (const { expected, name, place } of written) {
    it(name, () =>
      Effect.map(Notes, ({ sections }) => {
        const lines = sections
          .filter(({ section }) => section !== "unexplained" && section !== "edited")
          .flatMap(({ lines, section }) => lines.map((line) => ({ ...line, section })))
          .filter((line: Record<string, string | null>) => Math.floor(Number(line["id"]) / 100) === place)
          .map((line: Record<string, string | null>) => {
            const ids = [line["id"], line["new_id"]].filter((id) => id != null).map((id) => Number(id) - place * 100)
            return [line["section"], ...ids, line["known_by"]].filter((word) => word != null).join(" ")
          })
        assert.deepStrictEqual(lines.toSorted(), expected.toSorted())
      })
    )
  }

  it("still counts as added and removed when replaced or merged, and each section says how many it has", () =>
    Effect.map(Notes, ({ changes, identities, sections }) => {
      const all = written.flatMap(({ expected }) => expected)
      const of = (kind: string) => all.filter((line) => line.startsWith(`${kind} `)).length
      assert.deepStrictEqual(identities, { replaced: of("replaced"), merged: of("merged"), reused: of("reused") })
      assert.strictEqual(changes.products.added, of("added") + of("replaced"))
      assert.strictEqual(changes.products.removed, of("removed") + of("replaced") + of("merged"))
      for (const { products, section, total } of sections.filter(({ section }) => of(section) > 0)) {
        assert.deepStrictEqual([section, products, total], [section, of(section), of(section)])
      }
    }))
})
