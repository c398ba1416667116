import type { FaultRule, FaultPlan } from "../../src/market/faults/FaultPlan.ts"
import { type Deployed, idOf, catalogueFolder } from "../store/lake/invented.ts"
import { placeOf, soakDeployments, soakSteps } from "./soakGames.ts"
import { NodeServices } from "@effect/platform-node"
import { Effect, Layer, Result } from "effect"
import { join } from "node:path"
import { marketplaceServices } from "../../pipelines/settings/services.ts"
import { RetryPolicy } from "../../src/feed/client/RetryPolicy.ts"
import { extractGame } from "../../src/feed/reading/extractGame.ts"
import { quick, sandboxAt, soakKey } from "./soakHome.ts"
import { newFolder, live } from "../support/suite.ts"
import { assert, describe } from "@effect/vitest"

const nameOf = (product: object | string) =>
  typeof product === "object" && "name" in product ? String(product.name) : ""

const movedGame = "alder"
/** Four pages of products and one of expansions. */
const deployments = soakDeployments(movedGame, 9_007_000_000_000_000, 640)

/** The last one moves a price on the second and one on the last page, and nothing else. */
const movedDeployments: ReadonlyArray<Deployed> = [
  ...deployments,
  ...deployments.slice(-1).map(({ expansions = [], products }) => {
    const byName = products.toSorted((a, b) => (nameOf(a) < nameOf(b) ? -1 : 1))
    const moved = new Set([byName[300], byName.at(-1)])
    return {
      expansions,
      products: products.map((product) =>
        moved.has(product) ? JSON.stringify(product).replace(/"mid":[\d.]+/, '"mid":4321') : product
      )
    }
  })
]

/** Every page that a reading asks for: one of expansions, four of products, three of the changelog. */
const pages: ReadonlyArray<readonly [name: string, where: Pick<FaultRule, "endpoint" | "offset" | "at">]> = [
  ["the changelog head before", { endpoint: "changelog", at: [1] }],
  ["the expansions", { endpoint: "expansions", offset: 0, at: [1] }],
  ...[0, 200, 400, 600].map(
    (offset) => [`the products at ${offset}`, { endpoint: "products", offset, at: [1] } as const] as const
  ),
  ["the changelog", { endpoint: "changelog", at: [2] }],
  ["the changelog head after", { endpoint: "changelog", at: [3] }]
]

/** A redeploy just before each page, and just after the last one. */
const redeployRules = (steps: number) => {
  const rule = { kind: "redeploy", game: movedGame, steps } as const
  return [
    ...pages.map(([page, where]) => ({
      place: `before ${page}`,
      rule: { ...rule, ...where, when: "before" } as const
    })),
    ...pages
      .slice(-1)
      .map(([page, where]) => ({ place: `after ${page}`, rule: { ...rule, ...where, when: "after" } as const }))
  ]
}

/**
 * What goes live, the place it leads to and how many deployments at once.
 * A step that moves only prices has no changelog entry.
 */
const moves = [
  ["one deployment that adds", placeOf("added"), 1],
  ["one that removes", placeOf("removed"), 1],
  ["one that renames", placeOf("renamed"), 1],
  ["two at once, adding and removing", placeOf("removed"), 2],
  ["one that moves only prices", placeOf("prices"), 1],
  ["one that moves only prices behind the first page", soakSteps.length, 1]
] as const

/** A reading's deployment and the sha256 of every page that tables are made from, in order. */
interface Reading {
  readonly deploymentId: string | null
  readonly pages: ReadonlyArray<string>
}

/**
 * One game extracted from its own sandbox, without load: the same pages give the same Parquet files,
 * and a reading takes a tenth of a night. `reading` is the extraction or the error that it ended in.
 */
const soakReading = Effect.fnUntraced(function* (
  catalogue: string,
  gameId: string,
  place: number,
  faults: FaultPlan = {}
) {
  const sandbox = yield* sandboxAt(catalogue, { [gameId]: place }, faults)
  const folder = join(yield* newFolder, "raw")
  const settings = { CARDLAKE_URL: sandbox.url, CARDLAKE_API_KEY: soakKey }
  const services = yield* Layer.build(marketplaceServices(settings).pipe(Layer.provideMerge(NodeServices.layer)))
  const reading = yield* extractGame({ gameId, runId: idOf("run"), folder, previousDeploymentId: null }).pipe(
    Effect.map(({ deploymentId, pages }): Reading => ({
      deploymentId,
      pages: pages.filter(({ kind }) => kind !== "changelog").map((page) => `${page.request} ${page.sha256}`)
    })),
    Effect.provideService(RetryPolicy, quick),
    Effect.provideContext(services),
    Effect.result
  )
  return { reading, injected: (yield* sandbox.injected).counts, requests: yield* sandbox.requests }
}, Effect.scoped)

const readAt = Effect.fnUntraced(function* (catalogue: string, place: number) {
  const { reading } = yield* soakReading(catalogue, movedGame, place)
  return yield* Effect.fromResult(reading)
})

const isSame = (a: Reading, b: Reading) => JSON.stringify(a) === JSON.stringify(b)

describe("a redeploy while a game is read", () => {
  for (const [name, to, steps] of moves) {
    live(`${name}, at every page: the stored pages are exactly one deployment's`, function* () {
      const catalogue = yield* catalogueFolder({ [movedGame]: movedDeployments })
      const old = yield* readAt(catalogue, to - steps)
      const fresh = yield* readAt(catalogue, to)
      assert.isFalse(isSame(old, fresh))
      const wrong: Array<string> = []
      for (const { place, rule } of redeployRules(steps)) {
        const { injected, reading } = yield* soakReading(catalogue, movedGame, to - steps, { rules: [rule] })
        assert.strictEqual(injected.redeploy, 1, place)
        if (Result.isFailure(reading)) assert.strictEqual(reading.failure._tag, "Torn", place)
        else if (!isSame(reading.success, old) && !isSame(reading.success, fresh)) wrong.push(place)
      }
      assert.deepStrictEqual(wrong, [])
    })
  }

  live("twice, at every page: the stored pages are exactly one deployment's", function* () {
    const catalogue = yield* catalogueFolder({ [movedGame]: movedDeployments })
    const known = yield* Effect.forEach(movedDeployments, (_, place) => readAt(catalogue, place))
    // After the last request there is no second time.
    for (const { place, rule } of redeployRules(1).slice(0, -1)) {
      const twice = { ...rule, at: (rule.at ?? []).flatMap((at) => [at, at + 1]) }
      const { injected, reading } = yield* soakReading(catalogue, movedGame, 0, { rules: [twice] })
      assert.strictEqual(injected.redeploy, 2, place)
      if (Result.isFailure(reading)) assert.strictEqual(reading.failure._tag, "Torn", place)
      else
        assert.isTrue(
          known.some((one) => isSame(reading.success, one)),
          place
        )
    }
  })
})
