import { assert } from "@effect/vitest"
import { Effect, Layer } from "effect"
import { runDiff } from "../../../src/night/run/runDiff.ts"
import { emptyHome, snapshotOf } from "../lake/handMadeNights.ts"
import { card, expansion, gameId } from "../lake/invented.ts"
import { changelogOf, item } from "./changelogOf.ts"
import { shared, suite } from "../../support/suite.ts"

const counts = (added: number, modified: number, removed: number) => ({ added, modified, removed })
/** d2 counts what it lists; d1 and d3 count more, but d1 was there before the first reading. */
const changelog = changelogOf(
  {},
  { products: { modified: [item("moth", 1)] }, expansions: { removed: [item("bog")] } },
  { products: { added: [item("newt", 2)], removed: [item("pike"), item("rook")] } }
).map((entry) =>
  Object.assign(entry, entry.id === "d2" ? {} : { summary: { products: counts(3, 0, 2), expansions: counts(0, 1, 0) } })
)

const Notes = shared("Notes", function* () {
  const expansions = [expansion(7)]
  const moth = card(1, { expansionId: 7 })
  const inBog = { expansionId: 8, expansion: { id: 8, code: null, name: "Bog" } }
  const a = yield* snapshotOf("a", { products: [moth], expansions, changelog: changelog.slice(2) })
  const b = yield* snapshotOf("b", { products: [moth], expansions, changelog: changelog.slice(1) }, a)
  yield* snapshotOf("c", { products: [moth, card(2, inBog), card(3, inBog), card(4)], expansions, changelog }, b)
  const asked = (from: string, to: string) => runDiff({ gameId, from, to })
  return { doubtful: yield* asked("a", "c"), sound: yield* asked("a", "b"), backward: yield* asked("c", "a") }
})
const notes = Layer.provide(Notes.layer, emptyHome)

suite(notes, "a contradiction in the feed", (it) => {
  it("is reported: a summary that its lists do not bear out, an expansion that the feed does not list", () =>
    Effect.map(Notes, ({ doubtful }) => {
      const section = doubtful.sections.find(({ section }) => section === "contradictions")
      assert.deepStrictEqual(
        section?.lines.map((line) => Object.values(line)),
        [
          ["deployment", null, "d3", "expansions modified: 1 in the summary", "0 in the list"],
          ["deployment", null, "d3", "products added: 3 in the summary", "1 in the list"],
          ["expansion", "8", "Bog", "products are of it: 2, the first is 2", "the feed lists no such expansion"]
        ]
      )
      assert.strictEqual(doubtful.contradictions, 3)
    }))

  it("is not found where counts, lists and expansions agree, nor in deployments that are not compared", () =>
    Effect.map(Notes, ({ backward, sound }) =>
      assert.deepStrictEqual([backward.contradictions, sound.contradictions], [0, 0])
    ))
})
