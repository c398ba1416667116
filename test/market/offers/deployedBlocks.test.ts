import { assert, describe } from "@effect/vitest"
import { Effect } from "effect"
import { serveSandbox } from "../../../src/market/serveSandbox.ts"
import { catalogueFolder } from "../../store/lake/invented.ts"
import { buy, listingsOf, makeParty, makeShop } from "../Shop.ts"
import { ask, Served, testKey } from "../Served.ts"
import { checkProduct, productOf, shownBlocks } from "./Counted.ts"
import { newFolder, effect } from "../../support/suite.ts"

const depth = (low: number, listingCount: number, availableQuantity: number) => ({
  low,
  listingCount,
  availableQuantity
})
const block = (low: number, listingCount: number, availableQuantity: number, byCondition: object) => ({
  ...depth(low, listingCount, availableQuantity),
  low: { amount: low, currency: "EUR" },
  regions: { eu: { currency: "EUR", ...depth(low, listingCount, availableQuantity), byCondition } }
})
/** Three listings: near mint in English, played in no language, and a graded one. */
const agreeing = block(2, 3, 9, {
  NM: { ...depth(2, 1, 4), byLanguage: { en: depth(2, 1, 4) } },
  MP: { ...depth(3.5, 1, 2), byLanguage: {} }
})
/** Two listings in conditions, of a total of one. */
const contradicting = block(4, 1, 5, { NM: { ...depth(4, 2, 5), byLanguage: {} } })

const card = (id: number, name: string, marketplace?: object) => ({
  id,
  gameId: "fable",
  game: { id: "fable", name: "Fable" },
  name,
  nameSlug: `card-${id}`,
  languages: ["en"],
  productType: "card",
  finishes: ["Standard"],
  pricesByFinish: marketplace === undefined ? {} : { Standard: { marketplace } },
  attributes: {}
})
const deployments = [
  { products: [card(1, "One", agreeing), card(2, "Two", contradicting), card(3, "Three"), card(4, "Four", agreeing)] },
  // Renamed, gone, added; the folder's live blocks are others, too.
  {
    products: [
      card(1, "First", block(9, 1, 1, {})),
      card(2, "Two", agreeing),
      card(4, "Four", agreeing),
      card(5, "Five", agreeing)
    ]
  },
  { products: [card(1, "First"), card(3, "Three", agreeing), card(4, "Four", agreeing)] }
]

const served = <A, E>(options: Partial<Parameters<typeof serveSandbox>[0]>, test: Effect.Effect<A, E, Served>) =>
  Effect.gen(function* () {
    const catalogue = yield* catalogueFolder({ fable: deployments })
    const sandbox = yield* serveSandbox({ catalogue, key: testKey, ...options })
    return yield* Effect.provideService(test, Served, sandbox)
  }).pipe(Effect.scoped)
const deploy = ask("/sandbox/deploy", { body: { gameId: "fable" } })
const blocksOf = (productId: number) => Effect.map(productOf(productId), shownBlocks)

describe("live blocks of a folder", () => {
  effect("are as they were stored where they add up; of one that contradicts itself, the totals count", () =>
    served(
      {},
      Effect.gen(function* () {
        assert.deepEqual(yield* checkProduct(1), { Standard: agreeing })
        const mint = { NM: { ...depth(4, 1, 5), byLanguage: { en: depth(4, 1, 5) } } }
        assert.deepEqual(yield* checkProduct(2), { Standard: block(4, 1, 5, mint) })
        const { liveBlocks } = yield* Served
        assert.deepEqual(yield* liveBlocks, { blocks: 3, contradicting: 1 })
      })
    )
  )

  effect("stay through a deployment, and one that is added has nothing for sale", () =>
    served(
      {},
      Effect.gen(function* () {
        const second = yield* checkProduct(2)
        yield* deploy
        assert.strictEqual((yield* ask("/v1/products/1")).json.name, "First")
        assert.deepEqual(yield* checkProduct(1), { Standard: agreeing })
        assert.deepEqual(yield* blocksOf(4), { Standard: agreeing })
        assert.deepEqual(yield* checkProduct(2), second)
        assert.deepEqual(yield* checkProduct(5), {})
      })
    )
  )

  effect("are gone with a product, whose listings are off sale, also when it is back", () =>
    served(
      {},
      Effect.gen(function* () {
        const line = { finish: "Standard", price: 1, quantity: 2 } as const
        const shop = yield* makeShop("shop", [
          { ...line, productId: 2 },
          { ...line, productId: 3 }
        ])
        yield* deploy
        yield* checkProduct(2)
        yield* deploy
        assert.strictEqual((yield* ask("/v1/products/2")).status, 404)
        const { data } = yield* shop.api.inventory.lines({ query: {} })
        assert.deepEqual(data.map(({ forSale, productId, quantity }) => [productId, forSale, quantity]).toSorted(), [
          [2, false, 2],
          [3, false, 2]
        ])
        assert.deepEqual(yield* checkProduct(3), {})
        yield* shop.api.listings.list({
          params: { inventoryId: shop.inventoryIds[1]! },
          payload: { price: { amount: 1, currency: "EUR" } }
        })
        assert.deepEqual(Object.keys(yield* checkProduct(3)), ["Standard"])
      })
    )
  )

  effect("are the folder's own text where prices are frozen, whatever is for sale", () =>
    served(
      { livePrices: "frozen" },
      Effect.gen(function* () {
        const { listings } = yield* makeShop("shop", [{ productId: 3, finish: "Standard", price: 1, quantity: 2 }])
        assert.deepEqual(yield* blocksOf(2), { Standard: contradicting })
        assert.deepEqual(yield* blocksOf(3), {})
        assert.strictEqual(listings.length, 1)
        yield* deploy
        assert.deepEqual(yield* blocksOf(5), { Standard: agreeing })
      })
    )
  )
})

describe("what is for sale", () => {
  effect("lasts as long as the state, and is invented once", function* () {
    const state = yield* newFolder
    const sold = yield* served(
      { state },
      Effect.gen(function* () {
        const buyer = yield* makeParty("buyer", { country: "DE" })
        const [cheapest] = yield* listingsOf(buyer, 1)
        yield* buy(buyer, [{ listingId: cheapest!.listingId, quantity: 1 }])
        return yield* checkProduct(1)
      })
    )
    yield* served(
      { state },
      Effect.gen(function* () {
        assert.deepEqual(yield* checkProduct(1), sold)
        assert.deepEqual(yield* checkProduct(4), { Standard: agreeing })
      })
    )
  })
})
