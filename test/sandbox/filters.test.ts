import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { ask, type Item, search, Served } from "./Served.ts"

const inGame = { gameFilters: { game: "emberfall" }, limit: 200 }
const found = (filter: object) => Effect.map(search({ ...inGame, ...filter }), ({ json }) => json.data)

/** Something is found, and all of it is as wanted. */
const all = (products: ReadonlyArray<Item>, wanted: (product: Item) => boolean) => {
  assert.isNotEmpty(products)
  assert.isTrue(products.every(wanted))
}

layer(Served.layer())("filters", (it) => {
  it.effect("game", () =>
    Effect.gen(function* () {
      all(yield* found({}), (product) => product.gameId === "emberfall")
    })
  )
  it.effect("productIds as numbers and as digit strings", () =>
    Effect.gen(function* () {
      const products = yield* found({ productIds: [10_007, "10010", "999999999"] })
      assert.sameMembers(
        products.map((product) => product.id),
        [10_007, 10_010]
      )
    })
  )
  it.effect("expansionId alone or in a list", () =>
    Effect.gen(function* () {
      const one = yield* found({ expansionId: 301 })
      all(one, (product) => product.expansionId === 301)
      assert.deepStrictEqual(yield* found({ expansionId: ["301"] }), one)
    })
  )
  it.effect("productType", () =>
    Effect.gen(function* () {
      all(
        yield* found({ productType: { op: "or", values: ["sealed"] } }),
        (product) => product.productType === "sealed"
      )
    })
  )
  it.effect("a product is not card and sealed at once", () =>
    Effect.gen(function* () {
      assert.isEmpty(yield* found({ productType: { op: "and", values: ["card", "sealed"] } }))
    })
  )
  it.effect("productCategory", () =>
    Effect.gen(function* () {
      all(yield* found({ productCategory: "bundle" }), (product) => product.productCategory === "bundle")
    })
  )
  it.effect("name: every word, ignoring case", () =>
    Effect.gen(function* () {
      all(
        yield* found({ name: "DRAKE ashen" }),
        (product) => /ashen/i.test(product.name) && /drake/i.test(product.name)
      )
    })
  )
  it.effect("name with the print number pins a card", () =>
    Effect.gen(function* () {
      all(yield* found({ name: "ashen 130" }), (product) => product.printNumber === "130")
    })
  )
  it.effect("nameSlug, ignoring case", () =>
    Effect.gen(function* () {
      const [product] = yield* found({ limit: 1 })
      const same = yield* found({ nameSlug: product?.nameSlug.toUpperCase() })
      assert.deepStrictEqual([same.length, same[0]], [1, product])
    })
  )
  it.effect("printNumber, ignoring case", () =>
    Effect.gen(function* () {
      all(yield* found({ printNumber: "9A" }), (product) => product.printNumber === "9a")
    })
  )
  it.effect("ids of a price source", () =>
    Effect.gen(function* () {
      all(yield* found({ sourceEur: [200_000, 200_040] }), (product) =>
        product.externalIds.sourceEur.some(({ id }) => id === 200_000 || id === 200_040)
      )
    })
  )
  it.effect("attributes by value, by list and by range", () =>
    Effect.gen(function* () {
      const filters = { cost: { min: 2, max: 3 }, kind: { op: "or", values: ["ally", "Relic"] } }
      const products = yield* found({ gameFilters: { game: "emberfall", filters } })
      all(products, ({ attributes }) => [2, 3].includes(attributes.cost) && attributes.kind !== "Spell")
    })
  )
  it.effect("by default the order is by name", () =>
    Effect.gen(function* () {
      const names = (yield* found({})).map((product) => product.name)
      assert.deepStrictEqual(
        names,
        names.toSorted((a, b) => (a < b ? -1 : a > b ? 1 : 0))
      )
    })
  )
  it.effect("inside one expansion the order is by print number, as people count", () =>
    Effect.gen(function* () {
      const numbers = (yield* found({ expansionId: 301 })).map((product) =>
        Number.parseInt(product.printNumber ?? "-1")
      )
      assert.deepStrictEqual(
        numbers,
        numbers.toSorted((a, b) => a - b)
      )
    })
  )
  it.effect("sortBy and sortDirection turn the order", () =>
    Effect.gen(function* () {
      const dates = (yield* found({ sortBy: "releaseDate", sortDirection: "desc" })).map((p) => p.releaseDate ?? "")
      assert.deepStrictEqual(dates, dates.toSorted().toReversed())
      assert.strictEqual(dates[0], "2031-01-01T00:00:00.000Z")
    })
  )
  it.effect("one product and one expansion by id", () =>
    Effect.gen(function* () {
      const product = yield* ask("/v1/products/10007")
      const expansion = yield* ask("/v1/expansions/301")
      assert.deepStrictEqual([product.json.id, expansion.json.id], [10_007, 301])
    })
  )
})
