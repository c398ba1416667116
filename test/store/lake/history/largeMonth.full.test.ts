import { assert } from "@effect/vitest"
import { Effect } from "effect"
import { runCompact } from "../../../../src/night/run/runCompact.ts"
import { marketplaceAndHome } from "../../../pipelines/nights.ts"
import { showing } from "../../../../src/night/run/showing.ts"
import { lakeRows } from "../tableRows.ts"
import { live } from "../../../support/suite.ts"
import { syntheticCatalogue } from "../../../support/syntheticCatalogue.ts"

const products = 1_000_000
const game = "synthetic-1"
const monthsLater = 40 * 24 * 3600 * 1000

live("the first month of a game of a million products is compacted with the memory that DuckDB may have", function* () {
  const { inHome, night, services } = yield* marketplaceAndHome({ catalogue: { games: syntheticCatalogue(products) } })
  assert.strictEqual((yield* night(game)).games[0]?.verdict, "published")
  const ask = Effect.gen(function* () {
    const [prices] = yield* lakeRows("select count(*)::int as n from source_price_history")
    const [versions] = yield* lakeRows(
      "select count(*)::int as n, sum(len(finishes))::int as finishes from product_history"
    )
    return { prices, versions }
  }).pipe(inHome)
  const before = yield* ask
  assert.strictEqual(before.versions?.["n"], products)
  const { games } = yield* runCompact([]).pipe(showing(Date.now() + monthsLater), Effect.provideContext(services))
  assert.strictEqual(games[0]?.nights, 1)
  assert.deepStrictEqual(yield* ask, before)
})
