import { assert } from "@effect/vitest"
import { Effect } from "effect"
import type { DialectName } from "../../../src/feed/contract/dialect/dialects.ts"
import { differenceOf, emptyHome, publishNights, type Said, snapshotOf } from "../lake/handMadeNights.ts"
import { card, type Json } from "../lake/invented.ts"
import { lakeRows } from "../lake/tableRows.ts"
import { testIn } from "../../support/suite.ts"
import { changelogOf, type Claims, item } from "./changelogOf.ts"

/** A night by a way of reading: its cards by id, the name of the second, what its deployment claims, and fields of all cards. */
interface Night {
  readonly via: "pages" | "feeds"
  readonly ids: ReadonlyArray<number>
  readonly second: string
  readonly claims?: Claims
  readonly fields?: Json
}

const nameSlug = (name: string) => name.toLowerCase().replace(" ", "-")

const cardsOf = ({ fields, ids, via, second }: Night): ReadonlyArray<Json> =>
  ids.map((id) => {
    const name = id === 2 ? second : `Card ${id}`
    // Only feed files say the slug that the changelog has.
    const slug = via === "feeds" ? { slug: `m1-${nameSlug(name)}-00${id}` } : {}
    return card(id, { name, nameSlug: nameSlug(name), ...slug, ...fields })
  })

/** What became of the claims of the last night, after the others were published: slug, id, status, explanation. */
const reconciled = Effect.fnUntraced(function* (dialect: DialectName, nights: ReadonlyArray<Night>) {
  const said = nights.map((night, at): Said => {
    const changelog = changelogOf({}, ...nights.slice(1, at + 1).map(({ claims = {} }) => claims))
    const cards = cardsOf(night)
    const feeds = { catalog: cards, feedExpansions: [], prices: [] }
    return { ...(night.via === "pages" ? { products: cards } : { feeds }), dialect, changelog }
  })
  const from = (yield* publishNights(said.slice(0, -1))).at(-1)
  if (from === undefined) return assert.fail("there is one night")
  const { diff, reconciliations } = yield* differenceOf(from, yield* snapshotOf("night9", said.at(-1) ?? {}, from))
  return {
    counts: diff.reconciliation,
    lines: reconciliations
      .map(({ explanation, item_id, slug, status }) => `${slug} ${item_id} ${status} ${explanation}`)
      .toSorted()
  }
})
const allConfirmed = (confirmed: number) => ({ confirmed, claimedNotSeen: 0, seenNotClaimed: 0, unexplained: 0 })
const renamed: Claims = { products: { modified: [item("m1-lantern-ray-002", 2)] } }
const removed = (...slugs: ReadonlyArray<string>): Claims => ({
  products: { removed: slugs.map((slug) => item(slug)) }
})

const test = testIn(emptyHome)

test("by feed files, what is removed is found by the slug that it had last", function* () {
  const first = { via: "feeds", ids: [1, 2, 3, 4], second: "Lantern Eel" } as const
  const second = { ...first, second: "Lantern Ray", claims: renamed }
  const third = { ...first, ids: [1, 4], claims: removed("m1-lantern-ray-002", "m1-card-3-003") }
  const { counts, lines } = yield* reconciled("live", [first, second, third])
  assert.deepStrictEqual(counts, allConfirmed(2))
  assert.deepStrictEqual(lines, ["m1-card-3-003 3 confirmed null", "m1-lantern-ray-002 2 confirmed null"])
  const versions =
    "select slug, changed::varchar as changed from product_history where product_id = 2 order by valid_from"
  assert.deepStrictEqual(yield* lakeRows(versions), [
    { slug: "m1-lantern-eel-002", changed: null },
    { slug: "m1-lantern-ray-002", changed: "[name, name_slug, slug]" }
  ])
})

test("page by page, the slugs of an earlier night by feed files and of the changelog are known", function* () {
  const second = "Lantern Ray"
  const { counts, lines } = yield* reconciled("live", [
    { via: "feeds", ids: [1, 2, 3, 4], second: "Lantern Eel" },
    {
      via: "pages",
      ids: [1, 2, 3, 4, 5],
      second,
      claims: { products: { ...renamed.products, added: [item("m1-card-5-005", 5)] } }
    },
    { via: "pages", ids: [1, 2, 3, 4, 5, 6], second, claims: { products: { added: [item("m1-card-6-006", 6)] } } },
    {
      via: "pages",
      ids: [4, 6],
      second,
      claims: removed("m1-card-1-001", "m1-lantern-ray-002", "m1-card-3-003", "m1-card-5-005")
    }
  ])
  assert.deepStrictEqual(counts, allConfirmed(4))
  assert.deepStrictEqual(lines, [
    "m1-card-1-001 1 confirmed null",
    "m1-card-3-003 3 confirmed null",
    "m1-card-5-005 5 confirmed null",
    "m1-lantern-ray-002 2 confirmed null"
  ])
})

test.full(
  "by another way, a claim since the last night of that way of reading is not taken for one of what both ways of reading say",
  function* () {
    const printed = { expansionId: 1, expansion: { id: 1, code: "M1", name: "Marsh 1" } }
    const marked = { expansionId: 1, expansion: { ...printed.expansion, symbolUrl: "https://img.example/s.svg" } }
    const { lines } = yield* reconciled("live-july", [
      { via: "pages", ids: [1, 2], second: "Lantern Eel", fields: printed },
      {
        via: "feeds",
        ids: [1, 2],
        second: "Lantern Eel",
        fields: printed,
        claims: { products: { modified: [item("m1-card-1-001"), item("m1-lantern-eel-002")] } }
      },
      // Its new slug is in no file that was read, so only their number tells that the claim is of the second card.
      {
        via: "pages",
        ids: [1, 2],
        second: "Lantern Ray",
        fields: marked,
        claims: { products: { modified: [item("m1-lantern-ray-002")] } }
      }
    ])
    assert.deepStrictEqual(lines, [
      "lantern-ray 2 seen_not_claimed by_count",
      "m1-card-1-001 1 confirmed null",
      "m1-lantern-ray-002 null claimed_not_seen by_count"
    ])
  }
)
