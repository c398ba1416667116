import { assert, it } from "@effect/vitest"
import { Effect, Fiber } from "effect"
import { globSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { buy, listingsOf, makeParty } from "../market/Shop.ts"
import { sampleFolder, Served, testKey } from "../market/Served.ts"
import { shownBlocks, productOf } from "../market/offers/Counted.ts"
import { marketplaceAndHome } from "../pipelines/nights.ts"

/** Of the first products of Emberfall, on the first page: Foil of the first two has live listings and little else. */
const products = [10_007, 10_010, 10_022, 10_031, 10_037]

it.live("a night that reads while orders are placed is published, each game in one round", () =>
  Effect.gen(function* () {
    const { home, night, sandbox } = yield* marketplaceAndHome({
      catalogue: sampleFolder,
      key: testKey,
      rateLimit: 6000
    })
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
        const before = yield* Effect.forEach(products, productOf)
        const crowd = yield* Effect.forkChild(buying)
        const { games, verdict } = yield* night()
        yield* Fiber.interrupt(crowd)
        assert.strictEqual(verdict, "published")
        assert.deepStrictEqual(new Set(games.map((game) => game.verdict)), new Set(["published"]))
        const after = yield* Effect.forEach(products, productOf)
        assert.notDeepEqual(after.map(shownBlocks), before.map(shownBlocks))
      }),
      Served,
      sandbox
    )
    assert.isAbove(orders, 10)
    const rounds = globSync("raw/**/extraction.json", { cwd: home }).map(
      (file): unknown => JSON.parse(readFileSync(join(home, file), "utf8")).rounds
    )
    assert.deepStrictEqual(rounds, [1, 1, 1])
  }).pipe(Effect.scoped)
)
