import { assert } from "@effect/vitest"
import { type Deployed, card, expansion, sealed } from "../../store/lake/invented.ts"
import { servedDays, homeBy } from "./bothVias.ts"
import { lines } from "../../store/lake/tableRows.ts"
import { live } from "../../support/suite.ts"

const day = (of: { readonly name: string; readonly releasedIn: string; readonly added?: boolean }): Deployed => ({
  expansions: [expansion(1, { name: of.name, symbolUrl: "https://img.example/s.svg" })],
  products: [
    card(1, { translations: { fr: { name: "Anguille" } } }),
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
      day({ name: "Wick", releasedIn: "2022", added: true })
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
    const renames = ["expansion 1 name Tallow Wick", "product 2 name Tallow Wick"]
    assert.deepStrictEqual(lines(yield* feeds.rows(changes)), renames)

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
    assert.deepStrictEqual(lines(yield* pages.rows(dates)), ["3 2022-06-01", "4 2020-06-01"])
    const versions = "select product_id, count(*) as versions from product_history group by all order by product_id"
    assert.deepStrictEqual(lines(yield* pages.rows(versions)), ["1 1", "2 2", "3 2", "4 1"])
  }
)
