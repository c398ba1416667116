import { DuckDBInstance } from "@duckdb/node-api"
import { assert } from "@effect/vitest"
import { Effect } from "effect"
import { join } from "node:path"
import { runRollback } from "../../../../src/night/run/runRollback.ts"
import { marketplaceAndHome } from "../../../pipelines/nights.ts"
import { catalogueFolder, card, gameId } from "../invented.ts"
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

live(
  "lake.duckdb has after each night what its files have, also where only one of them changed, or none for a rollback; a reader that opened it before goes on",
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
