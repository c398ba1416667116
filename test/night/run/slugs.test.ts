import { assert } from "@effect/vitest"
import { type Deployed, card, expansion } from "../../store/lake/invented.ts"
import { homeBy, servedDays } from "./bothRoads.ts"
import { live } from "../../support/suite.ts"

/** Cards of Marsh 1 by their ids, with the name of the second. */
const day = (name: string, ...ids: ReadonlyArray<number>): Deployed => ({
  expansions: [expansion(1, { name: "Marsh 1", code: "M1" })],
  products: ids.map((id) =>
    card(id, {
      ...(id === 2
        ? { name, nameSlug: name.toLowerCase().replace(" ", "-") }
        : { name: `Card ${id}`, nameSlug: `card-${id}` }),
      printNumber: `00${id}`,
      // Says in which words the marketplace speaks.
      pricesByFinish: { Standard: { sourceEur: { currency: "EUR", low: 1 } } },
      expansionId: 1,
      expansion: { id: 1, code: "M1", name: "Marsh 1" }
    })
  )
})

const removals =
  "select slug, item_id::int as id, status, explanation from reconciliations where claimed = 'removed' or seen = 'removed' order by all"
const versions =
  "select slug, changed::varchar as changed from product_history where product_id = 2 order by valid_from"

live("by feed files, what is removed is found by the slug that it had last", function* () {
  const { deploy, homeBy: by } = yield* servedDays(
    [day("Lantern Eel", 1, 2, 3, 4), day("Lantern Ray", 1, 2, 3, 4), day("", 1, 4)],
    { dialect: "live" }
  )
  const { night, rows } = yield* by("feeds")
  yield* night()
  yield* deploy
  yield* night()
  assert.deepStrictEqual(yield* rows(versions), [
    { slug: "m1-lantern-eel-002", changed: null },
    { slug: "m1-lantern-ray-002", changed: "[name, name_slug, slug]" }
  ])
  yield* deploy
  const last = yield* night()
  assert.deepStrictEqual(last.games[0]?.reconciliation, {
    confirmed: 2,
    claimedNotSeen: 0,
    seenNotClaimed: 0,
    unexplained: 0
  })
  assert.deepStrictEqual(yield* rows(removals), [
    { slug: "m1-card-3-003", id: 3, status: "confirmed", explanation: null },
    { slug: "m1-lantern-ray-002", id: 2, status: "confirmed", explanation: null }
  ])
})

live("page by page, only their number explains what is removed, and it holds no night", function* () {
  const { deploy, homeBy: by } = yield* servedDays([day("Lantern Eel", 1, 2, 3, 4), day("", 1, 4)], { dialect: "live" })
  const { night, rows } = yield* by("pages")
  yield* night()
  yield* deploy
  // Half of the products: without an explanation, the night would be held.
  const last = yield* night()
  assert.deepStrictEqual(
    [last.verdict, last.games[0]?.reconciliation],
    ["published", { confirmed: 0, claimedNotSeen: 2, seenNotClaimed: 2, unexplained: 0, byCount: 4 }]
  )
  assert.deepStrictEqual(yield* rows(removals), [
    { slug: "card-3", id: 3, status: "seen_not_claimed", explanation: "by_count" },
    { slug: "lantern-eel", id: 2, status: "seen_not_claimed", explanation: "by_count" },
    { slug: "m1-card-3-003", id: null, status: "claimed_not_seen", explanation: "by_count" },
    { slug: "m1-lantern-eel-002", id: null, status: "claimed_not_seen", explanation: "by_count" }
  ])
})

live("page by page, the slugs of an earlier night by feed files and of the changelog are known", function* () {
  const {
    deploy,
    sandbox,
    homeBy: by
  } = yield* servedDays(
    [
      day("Lantern Eel", 1, 2, 3, 4),
      day("Lantern Ray", 1, 2, 3, 4, 5),
      day("Lantern Ray", 1, 2, 3, 4, 5, 6),
      day("", 4, 6)
    ],
    { dialect: "live" }
  )
  const feeds = yield* by("feeds")
  const pages = yield* homeBy(sandbox, "pages", { CARDLAKE_HOME: feeds.home })
  yield* feeds.night()
  yield* deploy
  // The changelog tells the new slugs of 2 and of 5.
  yield* pages.night()
  yield* deploy
  yield* pages.night()
  yield* deploy
  const last = yield* pages.night()
  assert.deepStrictEqual(last.games[0]?.reconciliation, {
    confirmed: 4,
    claimedNotSeen: 0,
    seenNotClaimed: 0,
    unexplained: 0
  })
  assert.deepStrictEqual(
    (yield* pages.rows(removals)).map(({ id, slug }) => [id, slug]),
    [
      [1, "m1-card-1-001"],
      [3, "m1-card-3-003"],
      [5, "m1-card-5-005"],
      [2, "m1-lantern-ray-002"]
    ]
  )
})

live(
  "by another road, a claim since the last night of that road is not taken for one of what both roads say",
  function* () {
    const expansion = { id: 1, code: "M1", name: "Marsh 1", symbolUrl: "https://img.example/s.svg" }
    const marked = (of: Deployed): Deployed => ({
      ...of,
      products: of.products.map((one) => Object.assign({}, one, { expansion }))
    })
    const days = [day("Lantern Eel", 1, 2), marked(day("Lantern Eel", 1, 2)), marked(day("Lantern Ray", 1, 2))]
    const { deploy, homeBy: by, sandbox } = yield* servedDays(days, { dialect: "live-july" })
    const pages = yield* by("pages")
    const feeds = yield* homeBy(sandbox, "feeds", { CARDLAKE_HOME: pages.home })
    yield* pages.night()
    yield* deploy
    yield* feeds.night()
    yield* deploy
    // Its new slug is in no file that was read, so only their number tells that the claim is of the second card.
    yield* pages.night()
    assert.deepStrictEqual(
      yield* pages.rows(
        "select slug, item_id::int as id, status, explanation from reconciliations where to_snapshot = (select max(to_snapshot) from reconciliations) order by all"
      ),
      [
        { slug: "lantern-ray", id: 2, status: "seen_not_claimed", explanation: "by_count" },
        { slug: "m1-card-1-001", id: 1, status: "confirmed", explanation: null },
        { slug: "m1-lantern-ray-002", id: null, status: "claimed_not_seen", explanation: "by_count" }
      ]
    )
  }
)
