import type { KnownDialect } from "../../src/feed/contract/dialect/dialects.ts"
import { Home } from "../../src/store/home/Home.ts"
import { readSnapshot } from "../../src/store/home/Manifest.ts"
import { idOf } from "../store/lake/invented.ts"
import { assert } from "@effect/vitest"
import { Effect } from "effect"
import { join } from "node:path"
import { marketplaceAndHome } from "./nights.ts"
import { parquetRows } from "./parquetRows.ts"
import { deploymentsOf, linesOf, modifiedBeyondPercentages, realCatalogue, stepsOf } from "./realCatalogue.ts"
import { lakePrices, wirePrices } from "./wirePrices.ts"

/** Products of no expansion, without a number: what the live changelog calls them is on pages, too. Counted in the files. */
const alsoOnPages: Readonly<Record<string, { readonly touched: number; readonly removed: number }>> = {
  "magic 2024-11-26": { touched: 11, removed: 5 }
}

/**
 * How a changelog compares with the files that it is about, page by page. In the live words it names what is gone by a slug
 * that no page has, in those of July everything; no product of these games was claimed with an id before it went.
 */
export const reconciledByPages = (
  gameId: string,
  { expansions, products, to }: ReturnType<typeof stepsOf>[number],
  dialect: KnownDialect
): object => {
  const touched = products.added + products.modifiedBeyondPrices
  const found = alsoOnPages[`${gameId} ${to}`] ?? { touched: 0, removed: 0 }
  const unknown = {
    spec: 0,
    live: products.removed - found.removed,
    "live-july": touched - found.touched + products.removed - found.removed
  }[dialect]
  return {
    confirmed: touched + products.removed - unknown + expansions.added + expansions.modified + expansions.removed,
    claimedNotSeen: unknown,
    seenNotClaimed: unknown,
    unexplained: 0,
    ...(unknown === 0 ? {} : { byCount: 2 * unknown })
  }
}

/**
 * Makes a night of each deployment of a real game in order, and compares it with the files and the counted differences;
 * of the last night also the prices with the wire's. Returns each night's tables by the sums of their files; of the
 * changelog's claims, which lack ids in some dialects, only how many.
 */
export const readDeployments = Effect.fnUntraced(function* (gameId: string, dialect: KnownDialect) {
  const { home, inHome, night, sandbox } = yield* marketplaceAndHome({
    catalogue: realCatalogue,
    dialect,
    livePrices: "frozen"
  })
  const tables: Array<unknown> = []
  const deployments = deploymentsOf(gameId)
  for (const [index, deployment] of deployments.entries()) {
    if (index > 0) yield* sandbox.deploy(gameId)
    const report = yield* night(gameId)
    const game = report.games[0]
    const truth = stepsOf(gameId)[index - 1]
    assert.strictEqual(game?.verdict, "published", `${deployment.date}: ${game?.reason}`)
    assert.deepStrictEqual(
      { products: game?.products, expansions: game?.expansions, refused: game?.refused },
      { products: deployment.products, expansions: deployment.expansions, refused: 0 },
      deployment.date
    )
    const { manifest } = yield* inHome(
      Effect.flatMap(Home, (at) => readSnapshot(at.snapshot(gameId, idOf(game?.snapshot ?? ""))))
    )
    assert.strictEqual(manifest.dialect, dialect)
    const { deployment_changes: claims, ...facts } = manifest.tables
    tables.push({ ...facts, deployment_changes: claims?.rows })
    if (truth === undefined) continue
    const products = game?.changes?.products
    const expansions = game?.changes?.expansions
    assert.deepStrictEqual(
      {
        products: {
          added: products?.added,
          modified: products?.modified,
          removed: products?.removed,
          modifiedBeyondPrices: products?.modifiedCatalogue
        },
        expansions: { added: expansions?.added, modified: expansions?.modified, removed: expansions?.removed }
      },
      {
        products: {
          added: truth.products.added,
          // That a percentage moved is no change.
          modified: modifiedBeyondPercentages(gameId, deployments[index - 1]?.date ?? "", deployment.date),
          removed: truth.products.removed,
          modifiedBeyondPrices: truth.products.modifiedBeyondPrices
        },
        expansions: {
          added: truth.expansions.added,
          modified: truth.expansions.modified,
          removed: truth.expansions.removed
        }
      },
      truth.to
    )
    assert.deepStrictEqual(game?.reconciliation, reconciledByPages(gameId, truth, dialect), truth.to)
    if (index === deployments.length - 1) {
      const file = join(home, "snapshots", `game=${gameId}`, `snapshot=${report.run}`, "source_prices.parquet")
      const onTheWire = new Map(linesOf(gameId, deployment.date, "products").flatMap(wirePrices))
      const inTheLake = new Map(lakePrices(parquetRows(file)))
      assert.strictEqual(inTheLake.size, onTheWire.size)
      for (const [place, text] of onTheWire) {
        if (inTheLake.get(place) !== text)
          assert.fail(`${place}: ${text} on the wire, ${inTheLake.get(place)} in the lake`)
      }
    }
  }
  return tables
}, Effect.scoped)
