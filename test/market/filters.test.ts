import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { ask, type Item, search, Served } from "./Served.ts"

const inGame = { gameFilters: { game: "emberfall" }, limit: 200 }
const found = (filter: object) => Effect.map(search({ ...inGame, ...filter }), ({ json }) => json.data)

/** Asserts that something is found, and all of it as wanted. */
const all = (products: ReadonlyArray<Item>, wanted: (product: Item) => boolean) => {
  assert.isNotEmpty(products)
  assert.isTrue(products.every(wanted))
}

layer(Served.layer())("a search", (it) => {
  it.effect("filters by game", () =>
    Effect.gen(function* () {
      all(yield* found({}), (product) => product.gameId === "emberfall")
    })
  )
  it.effect("filters by productIds, as numbers and as digit strings", () =>
    Effect.gen(function* () {
      const products = yield* found({ productIds: [10_007, "10010", "999999999"] })
      assert.sameMembers(
        products.map((product) => product.id),
        [10_007, 10_010]
      )
    })
  )
  it.effect("filters by expansionId, alone or in a list", () =>
    Effect.gen(function* () {
      const one = yield* found({ expansionId: 301 })
      all(one, (product) => product.expansionId === 301)
      assert.deepStrictEqual(yield* found({ expansionId: ["301"] }), one)
    })
  )
  it.effect("filters by productType", () =>
    Effect.gen(function* () {
      all(
        yield* found({ productType: { op: "or", values: ["sealed"] } }),
        (product) => product.productType === "sealed"
      )
    })
  )
  it.effect("finds no product that is a card and sealed at once", () =>
    Effect.gen(function* () {
      assert.isEmpty(yield* found({ productType: { op: "and", values: ["card", "sealed"] } }))
    })
  )
  it.effect("filters by productCategory", () =>
    Effect.gen(function* () {
      all(yield* found({ productCategory: "bundle" }), (product) => product.productCategory === "bundle")
    })
  )
  it.effect("filters by every word of a name, ignoring case", () =>
    Effect.gen(function* () {
      all(
        yield* found({ name: "DRAKE ashen" }),
        (product) => /ashen/i.test(product.name) && /drake/i.test(product.name)
      )
    })
  )
  it.effect("finds a card by its name with the print number", () =>
    Effect.gen(function* () {
      all(yield* found({ name: "ashen 130" }), (product) => product.printNumber === "130")
      all(yield* found({ name: "10 ashen" }), ({ name, printNumber }) => /ashen/i.test(name) && printNumber === "10")
    })
  )
  it.effect("finds a card by the code of its expansion and its print number, however they are joined", () =>
    Effect.gen(function* () {
      const joined = yield* found({ name: "DUN-4" })
      all(joined, ({ expansionId, printNumber }) => expansionId === 305 && printNumber === "4")
      for (const name of ["DUN 4", "dun4", " dun  4"]) assert.deepStrictEqual(yield* found({ name }), joined, name)
      all(yield* found({ name: "dun9a" }), ({ printNumber }) => printNumber === "9a")
      assert.isEmpty(yield* found({ name: "DUN-4000" }))
    })
  )
  it.effect("finds an expansion by its code", () =>
    Effect.gen(function* () {
      const named = yield* found({ name: "emb" })
      assert.deepStrictEqual(named, yield* found({ expansionId: 301, sortBy: "name" }))
    })
  )
  it.effect("filters by nameSlug, ignoring case", () =>
    Effect.gen(function* () {
      const [product] = yield* found({ limit: 1 })
      const same = yield* found({ nameSlug: product?.nameSlug.toUpperCase() })
      assert.deepStrictEqual([same.length, same[0]], [1, product])
    })
  )
  it.effect("filters by printNumber, ignoring case", () =>
    Effect.gen(function* () {
      all(yield* found({ printNumber: "9A" }), (product) => product.printNumber === "9a")
    })
  )
  it.effect("filters by the ids of a price source", () =>
    Effect.gen(function* () {
      all(yield* found({ sourceEur: [200_000, 200_040] }), (product) =>
        product.externalIds.sourceEur.some(({ id }) => id === 200_000 || id === 200_040)
      )
    })
  )
  it.effect("filters by attributes: by list and by range", () =>
    Effect.gen(function* () {
      const filters = { cost: { min: 2, max: 3 }, kind: { op: "or", values: ["ally", "Relic"] } }
      const products = yield* found({ gameFilters: { game: "emberfall", filters } })
      all(products, ({ attributes }) => [2, 3].includes(attributes.cost) && attributes.kind !== "Spell")
    })
  )
  it.effect("orders by name by default", () =>
    Effect.gen(function* () {
      const names = (yield* found({})).map((product) => product.name)
      assert.deepStrictEqual(
        names,
        names.toSorted((a, b) => (a < b ? -1 : a > b ? 1 : 0))
      )
    })
  )
  it.effect("orders one expansion by print number, as people count", () =>
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
  it.effect("orders as sortBy and sortDirection say", () =>
    Effect.gen(function* () {
      const dates = (yield* found({ sortBy: "releaseDate", sortDirection: "desc" })).map((p) => p.releaseDate ?? "")
      assert.deepStrictEqual(dates, dates.toSorted().toReversed())
      assert.strictEqual(dates[0], "2031-01-01T00:00:00.000Z")
    })
  )
  it.effect("is not needed for one product or one expansion, which have addresses by id", () =>
    Effect.gen(function* () {
      const product = yield* ask("/v1/products/10007")
      const expansion = yield* ask("/v1/expansions/301")
      assert.deepStrictEqual([product.json.id, expansion.json.id], [10_007, 301])
    })
  )
})
