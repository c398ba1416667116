import { NodeFileSystem } from "@effect/platform-node"
import { dialectNames, dialects } from "../../../src/feed/contract/dialect/dialects.ts"
import { assert, describe, it } from "@effect/vitest"
import { Effect, FileSystem } from "effect"
import { extractGame } from "../../../src/feed/reading/extractGame.ts"
import { pageMoved, probedPages } from "../../../src/feed/reading/knownPages.ts"
import { against } from "../client/StrangeServer.ts"
import { cards, serve } from "./feed.ts"
import { card, sealed } from "../rows/records.ts"
import { idOf } from "../../store/lake/invented.ts"
import { live } from "../../support/suite.ts"

const page = (data: ReadonlyArray<unknown>, total = data.length) => ({
  data,
  pagination: { offset: 0, limit: 200, total, hasMore: false }
})
const source = (low: number) => ({ currency: "EUR", low })
const listed = (listingCount: number) => ({ low: { amount: 1, currency: "EUR" }, listingCount, availableQuantity: 1 })
const blocks = (low: number, count: number) => ({ sourceEur: source(low), marketplace: listed(count) })
const available = (listingCount: number) => ({ inStock: true, listingCount, cheapest: null })
const pair = (low: number, count: number) => [
  card(1, { pricesByFinish: { Foil: blocks(low, count) }, availability: available(count) }),
  sealed(2, { prices: blocks(low, count), availability: available(count) })
]

describe("a page, asked for again,", () => {
  const moved: ReadonlyArray<readonly [string, ReadonlyArray<unknown>, boolean]> = [
    ["is the same", pair(1, 1), false],
    ["has other live listings", pair(1, 2), false],
    [
      "lost its live listings",
      [
        card(1, { pricesByFinish: { Foil: { sourceEur: source(1) } } }),
        sealed(2, { prices: { sourceEur: source(1) } })
      ],
      false
    ],
    [
      "has its keys in another order",
      pair(1, 1).map((record) => Object.fromEntries(Object.entries(record).toReversed())),
      false
    ],
    ["has a price that moved", pair(2, 1), true],
    ["has another order", pair(1, 1).toReversed(), true],
    ["has one record fewer", pair(1, 1).slice(1), true],
    ["has a name that changed", pair(1, 1).with(0, card(1, { name: "Renamed" })), true],
    ["has something that is not a record", [null, ...pair(1, 1).slice(1)], true]
  ]
  for (const [what, data, isMoved] of moved) {
    it(`${what}: ${isMoved ? "moved" : "stood still"}`, () =>
      assert.strictEqual(pageMoved(page(pair(1, 1), 2), page(data, 2), dialects.spec), isMoved))
  }
  it("lost a finish that was only listed, and got another one: stood still", () => {
    const only = (finish: string) => [card(1, { pricesByFinish: { [finish]: { marketplace: listed(1) } } })]
    assert.isFalse(pageMoved(page(only("Foil")), page([card(1, { pricesByFinish: {} })]), dialects.spec))
    assert.isFalse(pageMoved(page(only("Foil")), page(only("Standard")), dialects.spec))
  })
  it("has another total: moved", () =>
    assert.isTrue(pageMoved(page(pair(1, 1), 2), page(pair(1, 1), 3), dialects.spec)))
})

it.each([
  [1, [0]],
  [5, [0, 1, 2, 3, 4]],
  [6, [0, 1, 3, 4, 5]],
  [5000, [0, 1250, 2500, 3749, 4999]]
] as const)("of %i pages these are asked for again: %j", (pages, probed) =>
  assert.deepStrictEqual(probedPages(pages), [...probed])
)

live("a game whose prices move in every round is torn, even if the changelog has no entry of it", () => {
  let low = 0
  const priced = () => cards(3, { pricesByFinish: { Foil: { sourceEur: source(++low) } } })
  return Effect.gen(function* () {
    const fs = yield* FileSystem.FileSystem
    const folder = yield* fs.makeTempDirectoryScoped()
    const options = { gameId: "fable", runId: idOf("r1"), folder, previousDeploymentId: null }
    const error = yield* Effect.flip(extractGame(options))
    assert.match(error.message, /changed in each of 5 rounds \(its prices, without an entry after d1\)/)
  }).pipe(Effect.scoped, against(serve({ products: priced })), Effect.provide(NodeFileSystem.layer))
})

for (const dialect of dialectNames) {
  const { blocks } = dialects[dialect]
  live(`a game in the words of ${dialect} whose listings move in every answer is read in one round`, () => {
    let sold = 0
    const moving = () => {
      sold += 1
      const byFinish = { Foil: { [blocks.sourceEur]: source(1), [blocks.marketplace]: listed(sold) } }
      return cards(450, { pricesByFinish: byFinish, availability: available(sold) })
    }
    return Effect.gen(function* () {
      const fs = yield* FileSystem.FileSystem
      const folder = yield* fs.makeTempDirectoryScoped()
      const read = yield* extractGame({ gameId: "fable", runId: idOf("r1"), folder, previousDeploymentId: null })
      assert.deepStrictEqual([read.rounds, read.dialect, read.refused], [1, dialect, 0])
    }).pipe(Effect.scoped, against(serve({ products: moving })), Effect.provide(NodeFileSystem.layer))
  })
}
