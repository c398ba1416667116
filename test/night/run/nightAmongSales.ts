import { assert } from "@effect/vitest"
import { Effect, Fiber } from "effect"
import { globSync, readFileSync } from "node:fs"
import { join } from "node:path"
import type { SandboxOptions } from "../../../src/market/Sandbox.ts"
import { buy, listingsOf, makeParty } from "../../market/Shop.ts"
import { ask, sampleFolder, Served, testKey } from "../../market/Served.ts"
import { marketplaceAndHome } from "../../pipelines/nights.ts"

/** Of the first products of Emberfall, on the first page: Foil of the first two has live listings and little else. */
const products = [10_007, 10_010, 10_022, 10_031, 10_037]

/** All that the marketplace says of these products now, in whatever words it says it. */
const shown = Effect.forEach(products, (productId) =>
  Effect.all([ask(`/v1/products/${productId}/prices`), ask(`/v1/products/${productId}/listings?limit=100`)]).pipe(
    Effect.map((answers) => answers.map(({ json }) => json as unknown))
  )
)

/** A night while orders are placed; the rounds that each game's reading took. */
export const nightAmongSales = Effect.fnUntraced(function* (
  options: Partial<SandboxOptions>,
  settings: Record<string, string> = {}
) {
  const { home, night, sandbox } = yield* marketplaceAndHome(
    { catalogue: sampleFolder, key: testKey, rateLimit: 6000, ...options },
    settings
  )
  let orders = 0
  yield* Effect.provideService(
    Effect.gen(function* () {
      const buyers = yield* Effect.forEach(["DE", "US"], (country) => makeParty(`from ${country}`, { country }))
      /** Until nothing is left: then finishes that were only listed are gone. */
      const buying = Effect.gen(function* () {
        for (;;) {
          for (const productId of products) {
            for (const buyer of buyers) {
              const region = buyer === buyers[0] ? "eu" : "na"
              const [offer] = yield* listingsOf(buyer, productId, { region })
              if (offer === undefined) continue
              yield* buy(buyer, [{ listingId: offer.listingId, quantity: offer.quantity }])
              orders += 1
            }
          }
          yield* Effect.yieldNow
        }
      })
      const before = yield* shown
      const crowd = yield* Effect.forkChild(buying)
      const { games, verdict } = yield* night()
      yield* Fiber.interrupt(crowd)
      assert.strictEqual(verdict, "published")
      assert.deepStrictEqual(new Set(games.map((game) => game.verdict)), new Set(["published"]))
      assert.notDeepEqual(yield* shown, before)
    }),
    Served,
    // Its control routes are at its origin in every dialect.
    { ...sandbox, url: sandbox.origin }
  )
  assert.isAbove(orders, 10)
  return globSync("raw/**/extraction.json", { cwd: home }).map(
    (file): unknown => JSON.parse(readFileSync(join(home, file), "utf8")).rounds
  )
})
