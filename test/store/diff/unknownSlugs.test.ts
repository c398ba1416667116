import { assert } from "@effect/vitest"
import { Effect } from "effect"
import { differenceOf, emptyHome, type Said, snapshotOf } from "../lake/handMadeNights.ts"
import { card } from "../lake/invented.ts"
import { changelogOf, type Claims, item } from "./changelogOf.ts"
import { suite } from "../../support/suite.ts"

/** What becomes of the claims of one deployment between two readings: the explanations, and what is counted. */
const explained = Effect.fnUntraced(function* (
  name: string,
  of: { readonly before: Said; readonly after: Said; readonly claims: Claims }
) {
  const from = yield* snapshotOf(`2026${name}a`, { ...of.before, dialect: "live", changelog: changelogOf({}) })
  const after: Said = { ...of.after, dialect: "live", changelog: changelogOf({}, of.claims) }
  const to = yield* snapshotOf(`2026${name}b`, after, from)
  const { diff, reconciliations } = yield* differenceOf(from, to)
  return {
    lines: reconciliations.map(
      ({ claimed, explanation, item_id, seen, slug }) =>
        `${item_id ?? slug}: ${claimed ?? "-"} / ${seen ?? "-"} ${explanation ?? "unexplained"}`
    ),
    counts: diff.reconciliation,
    unclaimed: diff.unclaimedRemovals
  }
})

const cards = (...ids: ReadonlyArray<number>): Said => ({ products: ids.map((id) => card(id)) })

suite(emptyHome, "claims by slugs that pages do not say", (it) => {
  it("are explained by their number, where as many products are gone, and nothing then is unclaimed", function* () {
    const found = yield* explained("equal", {
      before: cards(1, 2, 3, 4),
      after: cards(1, 2),
      claims: { products: { removed: [item("m1-eel-007"), item("m1-ray-008")] } }
    })
    assert.deepStrictEqual(found, {
      lines: [
        "3: - / removed by_count",
        "4: - / removed by_count",
        "m1-eel-007: removed / - by_count",
        "m1-ray-008: removed / - by_count"
      ],
      counts: { confirmed: 0, claimedNotSeen: 2, seenNotClaimed: 2, unexplained: 0, byCount: 4 },
      unclaimed: 0
    })
  })

  it("explain nothing where another number is gone, or something else happened", function* () {
    const found = yield* explained("other", {
      before: cards(1, 2, 3),
      after: cards(1, 4),
      claims: { products: { removed: [item("m1-eel-007")] } }
    })
    assert.deepStrictEqual(found, {
      lines: [
        "2: - / removed unexplained",
        "3: - / removed unexplained",
        "4: - / added unexplained",
        "m1-eel-007: removed / - unexplained"
      ],
      counts: { confirmed: 0, claimedNotSeen: 1, seenNotClaimed: 3, unexplained: 4 },
      unclaimed: 2
    })
  })

  it("are counted by what happened, where a feed names all by slug alone", function* () {
    const found = yield* explained("july", {
      before: cards(1, 2, 3),
      after: { products: [card(1), card(2, { rarity: "rare" }), card(4)] },
      claims: { products: { added: [item("m1-cod")], modified: [item("m1-ray")], removed: [item("m1-eel")] } }
    })
    assert.deepStrictEqual(found.counts, {
      confirmed: 0,
      claimedNotSeen: 3,
      seenNotClaimed: 3,
      unexplained: 0,
      byCount: 6
    })
  })
})
