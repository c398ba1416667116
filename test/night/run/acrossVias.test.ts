import { assert } from "@effect/vitest"
import { type Deployed, card, expansion, gameId, sealed } from "../../store/lake/invented.ts"
import { servedDays, homeBy } from "./bothVias.ts"
import { live } from "../../support/suite.ts"

const day = (of: {
  readonly name: string
  readonly releasedIn: string
  readonly eel?: string
  readonly added?: boolean
}): Deployed => ({
  expansions: [expansion(1, { name: of.name, symbolUrl: "https://img.example/s.svg" })],
  products: [
    card(1, { translations: { fr: { name: of.eel ?? "Anguille" } } }),
    card(2, { name: of.name }),
    sealed(3, { releaseDate: `${of.releasedIn}-06-01T00:00:00.000Z` }),
    ...(of.added === true ? [sealed(4, { releaseDate: "2020-06-01T00:00:00.000Z" })] : [])
  ]
})

const changes =
  "select entity, id::int as id, field, old, new from changes where to_snapshot = (select max(to_snapshot) from changes) order by all"

live(
  "what a night's way of reading does not say is null, no change and no version; the last night that had it is compared",
  function* () {
    const {
      deploy,
      homeBy: by,
      sandbox
    } = yield* servedDays([
      day({ name: "Tallow", releasedIn: "2021" }),
      day({ name: "Tallow", releasedIn: "2021", added: true }),
      day({ name: "Wick", releasedIn: "2022", added: true }),
      day({ name: "Wick", releasedIn: "2022", added: true, eel: "Murène" })
    ])
    const pages = yield* by("pages")
    const feeds = yield* homeBy(sandbox, "feeds", { CARDLAKE_HOME: pages.home })
    const dates =
      "select product_id::int as id, release_date::date::varchar as day from products where product_type = 'sealed' order by id"
    assert.strictEqual((yield* pages.night()).verdict, "published")

    // Nothing moved but the way of reading.
    const crossed = yield* feeds.night()
    assert.deepInclude(crossed.games[0], { verdict: "published", via: "feeds" })
    assert.deepInclude(crossed.games[0]?.changes?.products, { added: 0, removed: 0, modified: 0 })
    assert.deepInclude(crossed.games[0]?.changes?.expansions, { modified: 0 })
    assert.deepStrictEqual(yield* feeds.rows(dates), [{ id: 3, day: null }])
    const french = "select product_id::int as id, name, other_name from find_products('anguille')"
    assert.deepStrictEqual(yield* feeds.rows(french), [{ id: 1, name: "Wicker Hound 1", other_name: "Anguille" }])
    assert.deepStrictEqual(yield* feeds.rows("select language, name from translations"), [
      { language: "fr", name: "Anguille" }
    ])

    // The release date that moves now is not seen by feed files.
    yield* deploy
    yield* feeds.night()
    yield* deploy
    const renamed = yield* feeds.night()
    assert.deepInclude(renamed.games[0]?.changes?.products, { added: 0, modifiedCatalogue: 1 })
    assert.deepStrictEqual(yield* feeds.rows(changes), [
      { entity: "expansion", id: 1, field: "name", old: "Tallow", new: "Wick" },
      { entity: "product", id: 2, field: "name", old: "Tallow", new: "Wick" }
    ])

    assert.deepInclude(renamed.games[0]?.reconciliation, { claimedNotSeen: 1, unexplained: 0 })
    assert.deepStrictEqual(
      yield* feeds.rows("select item_id::int as id, explanation from reconciliations where status <> 'confirmed'"),
      [{ id: 3, explanation: "not_in_feeds" }]
    )

    // Back on pages, it is: against the first night. What feed files alone had seen is not seen again.
    const back = yield* pages.night()
    assert.deepInclude(back.games[0], { verdict: "published", via: "pages" })
    assert.deepStrictEqual(yield* pages.rows(changes), [
      { entity: "product", id: 3, field: "release_date", old: "2021-06-01 00:00:00+00", new: "2022-06-01 00:00:00+00" }
    ])
    assert.deepStrictEqual(yield* pages.rows(dates), [
      { id: 3, day: "2022-06-01" },
      { id: 4, day: "2020-06-01" }
    ])
    assert.deepStrictEqual(
      yield* pages.rows(
        "select product_id::int as id, count(*)::int as versions from product_history group by all order by id"
      ),
      [
        { id: 1, versions: 1 },
        { id: 2, versions: 2 },
        { id: 3, versions: 2 },
        { id: 4, versions: 1 }
      ]
    )

    // And by feed files again, the names in other languages against the last night that had them.
    yield* deploy
    const translated = yield* feeds.night()
    assert.deepInclude(translated.games[0]?.changes?.products, { added: 0, modifiedCatalogue: 1 })
    assert.deepStrictEqual(yield* feeds.rows(changes), [
      {
        entity: "product",
        id: 1,
        field: "translations",
        old: '[{"language":"fr","name":"Anguille"}]',
        new: '[{"language":"fr","name":"Murène"}]'
      }
    ])
    assert.strictEqual(gameId, translated.games[0]?.gameId)
  }
)
