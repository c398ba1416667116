import { assert, describe, it } from "@effect/vitest"
import { dialects } from "../../src/feed/contract/dialect/dialects.ts"
import { Effect, Schema } from "effect"
import { Expansion } from "../../src/feed/contract/Game.ts"
import { product } from "../../src/feed/contract/Product.ts"
import { syntheticCatalogue } from "../support/syntheticCatalogue.ts"
import { expansionComparison, productComparison, textChanges } from "../../src/market/catalogue/readCatalogue.ts"
import { textLines } from "../../src/market/catalogue/textShelf.ts"
import { effect } from "../support/suite.ts"

const Product = product(dialects.spec)

const games = syntheticCatalogue(3000, 3)
const linesOf = async (game: (typeof games)[number], deployment: number) => {
  const { products, expansions } = await game.open(deployment)
  const all = Array.from({ length: products.size }, (_, index) => products.text(index))
  const joined = (texts: ReadonlyArray<Uint8Array>) => textLines(Buffer.from(texts.map(String).join("\n")))
  const asText = (texts: ReadonlyArray<Uint8Array>) => texts.map((text) => Buffer.from(text))
  return { products: joined(asText(all)), expansions: joined(asText(expansions.map(({ text }) => text))) }
}

describe("synthetic catalogue", () => {
  it("has as many products as asked for", async () => {
    const sizes = await Promise.all(games.map(async (game) => (await game.open(0)).products.size))
    assert.deepEqual(sizes, [2100, 600, 300])
  })

  effect("every record keeps the contract, in every deployment", function* () {
    for (const game of games) {
      for (const deployment of game.deployments.keys()) {
        const { products, expansions } = yield* Effect.promise(() => linesOf(game, deployment))
        for (let at = 0; at < products.size; at++) {
          yield* Schema.decodeUnknownEffect(Product)(JSON.parse(products.line(at).toString()))
        }
        for (let at = 0; at < expansions.size; at++) {
          yield* Schema.decodeUnknownEffect(Expansion)(JSON.parse(expansions.line(at).toString()))
        }
      }
    }
  })

  it("claims in the changelog what a comparison of the records finds", async () => {
    for (const game of games) {
      for (const deployment of [1, 2]) {
        const [before, after] = [await linesOf(game, deployment - 1), await linesOf(game, deployment)]
        const claimed = await game.changes(deployment)
        const { products } = claimed
        assert.deepEqual(
          { added: [...products.added], modified: [...products.modified], removed: [...products.removed] },
          textChanges(before.products, after.products, productComparison)
        )
        assert.isTrue(Object.values(products).every((items) => items.length === [...items].length))
        const found = textChanges(before.expansions, after.expansions, expansionComparison)
        assert.sameDeepMembers([...claimed.expansions.added], [...found.added])
        assert.isEmpty([...found.modified, ...found.removed])
      }
    }
  })

  it("modifies about 5 %, adds 1 % and removes 1 % at each step, prices included", async () => {
    const [game] = games
    const [before, after] = [await linesOf(game!, 0), await linesOf(game!, 1)]
    const all = { ...productComparison, leaveOut: new Set<string>() }
    const { added, modified, removed } = textChanges(before.products, after.products, all)
    assert.deepEqual([added.length, modified.length, removed.length], [21, 105, 21])
  })

  it("is ordered by name and finds every product by its id", async () => {
    const { products } = await games[0]!.open(1)
    const facts = Array.from({ length: products.size }, (_, index) => products.facts(index))
    assert.isTrue(facts.every(({ name }, at) => at === 0 || (facts[at - 1]?.name ?? "") < name))
    assert.isTrue(facts.every(({ id }, at) => products.find(id) === at))
    assert.isUndefined(products.find("12"))
  })

  it("knows the same of a product as its record says", async () => {
    const { products } = await games[0]!.open(0)
    for (const index of [0, 19, 700]) {
      const record = JSON.parse(String(Buffer.from(products.text(index))))
      const { id, name, nameSlug, expansionId, productType } = products.facts(index)
      assert.deepEqual(
        [id, name, nameSlug, expansionId, productType],
        [String(record.id), record.name, record.nameSlug, String(record.expansionId), record.productType]
      )
    }
  })
})
