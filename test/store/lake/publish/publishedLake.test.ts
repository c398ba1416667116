import { DuckDBInstance } from "@duckdb/node-api"
import { assert, describe } from "@effect/vitest"
import { Effect } from "effect"
import { join } from "node:path"
import { runRollback } from "../../../../src/night/run/runRollback.ts"
import { marketplaceAndHome } from "../../../pipelines/nights.ts"
import { catalogueFolder, card, cardText, gameId } from "../invented.ts"
import { lakeRows } from "../tableRows.ts"
import { live } from "../../../support/suite.ts"

/** Opens a file as a second program would, with DuckDB's own client, until the scope closes. */
const reader = Effect.fnUntraced(function* (file: string) {
  const instance = yield* Effect.acquireRelease(
    Effect.promise(() => DuckDBInstance.create(file, { access_mode: "READ_ONLY" })),
    (instance) => Effect.sync(() => instance.closeSync())
  )
  const connection = yield* Effect.promise(() => instance.connect())
  return (sql: string) =>
    Effect.promise(async () => (await connection.runAndReadAll(sql)).getRows().map((row) => row.join(" ")))
})

describe("lake.duckdb", () => {
  live.full(
    "shows price moves of a deployment that the changelog does not name, with nothing to reconcile",
    function* () {
      const catalogue = yield* catalogueFolder({
        [gameId]: [
          { products: [cardText(1, "1.50"), cardText(2, "0.10")] },
          { products: [cardText(1, "1.75"), cardText(2, "0.1000")] }
        ]
      })
      const { inHome, night, sandbox } = yield* marketplaceAndHome({ catalogue })
      const first = yield* night()
      yield* sandbox.deploy(gameId)
      const second = yield* night()
      const game = second.games[0]
      assert.strictEqual(game?.verdict, "published")
      assert.strictEqual(game?.deploymentId, first.games[0]?.deploymentId)
      assert.deepStrictEqual(game?.changes?.products, {
        added: 0,
        removed: 0,
        modified: 1,
        modifiedCatalogue: 0,
        modifiedPrice: 1
      })
      assert.deepStrictEqual(game?.reconciliation, {
        confirmed: 0,
        claimedNotSeen: 0,
        seenNotClaimed: 0,
        unexplained: 0
      })
      const rows = yield* lakeRows("select id, class, field, old, new from changes").pipe(inHome)
      assert.deepStrictEqual(rows, [
        { id: "1", class: "price", field: "prices.Standard.sourceEur.low", old: "1.5", new: "1.75" }
      ])
    }
  )

  live(
    "has after each night what its files have, also where only one of them changed, or none for a rollback; a reader that opened it before goes on",
    function* () {
      const priced = (low: number, finishes: ReadonlyArray<string>) => {
        const block = { sourceEur: { currency: "EUR", low } }
        return [card(1, { finishes, pricesByFinish: { Standard: block, Foil: block } }), card(2)]
      }
      const both = ["Standard", "Foil"]
      const catalogue = yield* catalogueFolder({
        [gameId]: [
          { products: priced(1, both) },
          { products: priced(2, both) },
          // The prices are those of the night before, and one of them is not listed any more.
          { products: priced(2, ["Standard"]) }
        ]
      })
      const { home, inHome, night, sandbox } = yield* marketplaceAndHome({ catalogue, livePrices: "frozen" })
      const prices =
        "select finish, low::double::varchar, is_listed::varchar from products join source_prices using (product_id) order by all"
      const shown = Effect.flatMap(reader(join(home, "lake.duckdb")), (ask) => ask(prices)).pipe(Effect.scoped)
      const foils = inHome(lakeRows("select product_id from find_products('wicker finish:foil')"))
      const first = ["Foil 1.0 true", "Standard 1.0 true"]
      const second = ["Foil 2.0 true", "Standard 2.0 true"]
      yield* night()
      assert.deepStrictEqual(yield* shown, first)
      const before = yield* reader(join(home, "lake.duckdb"))
      yield* sandbox.deploy(gameId)
      yield* night()
      assert.deepStrictEqual(yield* shown, second)
      assert.deepStrictEqual(yield* before(prices), first)
      assert.deepStrictEqual(yield* foils, [{ product_id: "1" }])
      yield* sandbox.deploy(gameId)
      yield* night()
      assert.deepStrictEqual(yield* shown, ["Foil 2.0 false", "Standard 2.0 true"])
      assert.deepStrictEqual(yield* foils, [])
      yield* inHome(runRollback({ gameId, wanted: null, why: "a trial" }))
      assert.deepStrictEqual(yield* shown, second)
    }
  )

  live.full(
    "tells absences apart: no block, a price of 0, a region without listings, a product that is gone",
    function* () {
      const listed = {
        low: { amount: 2, currency: "EUR" },
        listingCount: 1,
        availableQuantity: 1,
        regions: { eu: { currency: "EUR", low: 2, listingCount: 1, availableQuantity: 1 } }
      }
      const first = [
        card(1, { pricesByFinish: { Foil: {} } }),
        cardText(2, "0"),
        card(3, { pricesByFinish: { Standard: { marketplace: listed } } }),
        card(4),
        card(5, { pricesByFinish: { Standard: { sourceEur: { currency: "EUR" } } } })
      ]
      const catalogue = yield* catalogueFolder({
        [gameId]: [{ products: first }, { products: first.filter((_, index) => index !== 3) }]
      })
      const { inHome, night, sandbox } = yield* marketplaceAndHome({ catalogue })
      yield* night()
      yield* sandbox.deploy(gameId)
      yield* night()
      const rows = yield* lakeRows(`
        select p.product_id, s.source, s.low::varchar as low, m.region, m.low::varchar as listed
        from products p
        left join source_prices s using (product_id)
        left join marketplace_prices m on m.product_id = p.product_id
        order by p.product_id, m.region nulls first`).pipe(inHome)
      assert.deepStrictEqual(rows, [
        { product_id: "1", source: null, low: null, region: null, listed: null },
        { product_id: "2", source: "sourceEur", low: "0.0000", region: null, listed: null },
        { product_id: "3", source: null, low: null, region: null, listed: "2.0000" },
        { product_id: "3", source: null, low: null, region: "eu", listed: "2.0000" },
        { product_id: "5", source: "sourceEur", low: null, region: null, listed: null }
      ])
      const gone = yield* lakeRows("select id, change, old from changes").pipe(inHome)
      assert.deepStrictEqual(gone, [{ id: "4", change: "removed", old: "Wicker Hound 4" }])
    }
  )
})
