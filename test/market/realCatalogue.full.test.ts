import { assert, describe } from "@effect/vitest"
import { Effect } from "effect"
import { existsSync, readFileSync } from "node:fs"
import { fileURLToPath } from "node:url"
import { serveSandbox } from "../../src/market/serveSandbox.ts"
import { type Body, testKey } from "./Served.ts"
import { effect } from "../support/suite.ts"

const folder = fileURLToPath(new URL("../../../shared/catalogue", import.meta.url))
const isThere = existsSync(folder)

interface Expected {
  readonly games: Readonly<
    Record<
      string,
      {
        readonly steps: ReadonlyArray<{
          readonly deployedAt: string
          readonly products: { readonly added: number; readonly modifiedBeyondPrices: number; readonly removed: number }
          readonly expansions: { readonly added: number; readonly modified: number; readonly removed: number }
        }>
      }
    >
  >
}

/** The true changes that need an entry, oldest first: a step that moves only prices has none. */
const expectedEntries = (gameId: string) => {
  const { games } = JSON.parse(readFileSync(`${folder}/expected-diffs.json`, "utf8")) as Expected
  return (games[gameId]?.steps ?? [])
    .map(({ deployedAt, products, expansions }) => ({
      deployedAt,
      products: { added: products.added, modified: products.modifiedBeyondPrices, removed: products.removed },
      expansions: { added: expansions.added, modified: expansions.modified, removed: expansions.removed }
    }))
    .filter((step) => [...Object.values(step.products), ...Object.values(step.expansions)].some((count) => count > 0))
}

describe.skipIf(!isThere)("real catalogues (need ../shared/catalogue beside the repository)", () => {
  for (const gameId of ["riftbound", "fleshandblood"]) {
    effect(`the changelog of ${gameId} counts the true differences`, function* () {
      const { url } = yield* serveSandbox({ catalogue: folder, key: testKey, live: "last" })
      const { data } = yield* Effect.promise(async () => {
        const headers = { authorization: `Bearer ${testKey}` }
        const answer = await fetch(`${url}/v1/feeds/${gameId}/changelog?limit=100`, { headers })
        return (await answer.json()) as Body
      })
      const entries = data.map(({ deployedAt, summary: { products, expansions } }) => ({
        deployedAt,
        products,
        expansions
      }))
      assert.deepEqual(entries.toReversed().slice(1), expectedEntries(gameId))
    })
  }
})
