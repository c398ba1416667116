import { assert } from "@effect/vitest"
import { Effect } from "effect"
import * as fc from "fast-check"
import { search, Served } from "../Served.ts"
import { buy, listingsOf, makeParty, type Party } from "../Shop.ts"
import { rounds } from "../../tried.ts"
import { checkProduct, countedBlocks, listingsOfProduct, type Priced, shownBlocks } from "./Counted.ts"
import { suite } from "../../support/sandbox.ts"

/** Two cards with live blocks from the start, one without, and a sealed product. */
const cards = [10_007, 10_022, 10_016] as const
const products = [...cards, 10_046] as const
const body = { productIds: products, gameFilters: { game: "emberfall" } }

const product = fc.nat({ max: cards.length })
const seller = fc.nat({ max: 2 })
const which = fc.nat({ max: 30 })
const cents = fc.integer({ min: 1, max: 9000 })
const quantity = fc.integer({ min: 1, max: 4 })
const deed = fc.oneof(
  fc.record({ kind: fc.constant("list" as const), product, seller, cents, quantity, copy: fc.nat({ max: 2 }) }),
  { weight: 3, arbitrary: fc.record({ kind: fc.constant("sell" as const), product, which, quantity }) },
  fc.record({ kind: fc.constant("reprice" as const), seller, which, cents }),
  fc.record({ kind: fc.constant("stock" as const), seller, which, quantity: fc.nat({ max: 5 }) }),
  fc.record({ kind: fc.constant("unlist" as const), seller, which, quantity }),
  fc.record({ kind: fc.constant("rest" as const), seller, enabled: fc.boolean() })
)
type Deed = typeof deed extends fc.Arbitrary<infer A> ? A : never

const copies = [
  { condition: "NM" },
  { condition: "HP" },
  { condition: null, graded: { gradingService: "PSA", grade: "10" } }
] as const
const currencies = ["EUR", "USD", "CAD"] as const
const priceOf = (cents: number, currency: (typeof currencies)[number]) => ({ amount: cents / 100, currency })

/** What a deed refuses, such as a buyer's own region, moves nothing. */
const done = (deed: Deed, sellers: ReadonlyArray<Party>, buyer: Party): Effect.Effect<unknown, unknown, Served> =>
  Effect.gen(function* () {
    if (deed.kind === "sell") {
      const offers = yield* listingsOf(buyer, products[deed.product]!)
      const offer = offers[deed.which % Math.max(1, offers.length)]
      if (offer === undefined) return
      yield* buy(buyer, [{ listingId: offer.listingId, quantity: Math.min(deed.quantity, offer.quantity) }])
      return
    }
    const { api } = sellers[deed.seller]!
    const currency = currencies[deed.seller]!
    if (deed.kind === "rest") return yield* api.account.setVacation({ payload: { enabled: deed.enabled } })
    if (deed.kind === "list") {
      const productId = products[deed.product]!
      const copy = productId === 10_046 ? {} : { ...copies[deed.copy]!, language: "en" }
      const listing = { price: priceOf(deed.cents, currency) }
      const line = { productId, finish: "Standard", quantity: deed.quantity, listing, ...copy }
      return yield* api.inventory.createLines({ payload: { lines: [line] } })
    }
    const { data } = yield* api.listings.listings({ query: { limit: 100 } })
    const inventoryId = data[deed.which % Math.max(1, data.length)]?.id
    if (inventoryId === undefined) return
    const params = { inventoryId }
    if (deed.kind === "reprice")
      return yield* api.listings.reprice({ params, payload: { price: priceOf(deed.cents, currency) } })
    if (deed.kind === "unlist") return yield* api.listings.unlist({ params, payload: { quantity: deed.quantity } })
    return yield* api.inventory.changeLine({ params, payload: { quantity: { set: deed.quantity } } })
  })

const pages = Effect.map(search(body, "?limit=50"), ({ json }) => json.data as unknown as ReadonlyArray<Priced>)

suite(Served.layer({ livePrices: "live" }))("whatever is listed, sold, repriced and taken off sale,", (it) => {
  it("each page says what a count over the listings says", function* () {
    const sellers = yield* Effect.forEach(currencies, (currency) => makeParty(`in ${currency}`, { currency }))
    const buyers = yield* Effect.forEach(["DE", "US"], (country) => makeParty(`to ${country}`, { country }))
    const services = yield* Effect.context<Served>()
    let moved = 0
    yield* Effect.promise(() =>
      fc.assert(
        fc.asyncProperty(fc.array(deed, { minLength: 4, maxLength: 12 }), fc.nat({ max: 1 }), (deeds, to) =>
          Effect.runPromiseWith(services)(
            Effect.gen(function* () {
              // One who rests since the deeds before these would refuse most of them.
              for (const { api } of sellers) yield* api.account.setVacation({ payload: { enabled: false } })
              for (const each of deeds) {
                const before = yield* pages
                yield* Effect.exit(done(each, sellers, buyers[to]!))
                const shown = yield* pages
                for (const [at, productId] of products.entries()) {
                  const counted = countedBlocks(yield* listingsOfProduct(productId))
                  const found = shown.find(({ id }) => id === productId)!
                  assert.deepEqual(shownBlocks(found), counted, `${productId} after ${JSON.stringify(each)}`)
                  if (at === 0) yield* checkProduct(productId)
                }
                if (JSON.stringify(before) !== JSON.stringify(shown)) moved++
              }
            })
          )
        ),
        { numRuns: rounds(12, 6) }
      )
    )
    assert.isAbove(moved, rounds(10, 5))
  })
})
