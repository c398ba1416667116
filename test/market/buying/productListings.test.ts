import { assert } from "@effect/vitest"
import { Effect } from "effect"
import { Served, control } from "../Served.ts"
import { card, listingsOf, makeParty, makeShop } from "../Shop.ts"
import { suite, values } from "../../support/sandbox.ts"

suite(Served.layer({ livePrices: "frozen" }))("the listings of a product", (it) => {
  it("come cheapest first, compared in one currency, page by page", function* () {
    // By the sandbox's rates: 1 EUR is 1.10 USD, 0.85 GBP, 1.50 CAD and 0.95 CHF.
    const eur = yield* makeShop("eur", [{ price: 2, quantity: 3 }])
    const usd = yield* makeShop("usd", [{ price: 2.1, quantity: 1 }], { currency: "USD" })
    const gbp = yield* makeShop("gbp", [{ price: 1.75, quantity: 1 }], { currency: "GBP" })
    const cad = yield* makeShop("cad", [{ price: 2.99, quantity: 1 }], { currency: "CAD" })
    const buyer = yield* makeParty("buyer")
    const inEuros = [2.1 / 1.1, 2.99 / 1.5, 2, 1.75 / 0.85]
    assert.deepEqual(inEuros, inEuros.toSorted())
    const found = yield* listingsOf(buyer, card.productId, { limit: 1 })
    assert.deepEqual(values(found, "seller.username"), ["usd", "cad", "eur", "gbp"])
    const { rating, shipping, ...seller } = found[2]!.seller
    assert.deepEqual([rating, shipping], [{ average: null, count: 0 }, null])
    const { quantity, listingId, price, ...shown } = found[2]!
    assert.deepEqual([listingId, price, quantity], [eur.listings[0]!, { amount: 2, currency: "EUR" }, 3])
    const { productId: _id, ...copy } = card
    const others = { graded: null, comment: null, photos: [], seller: { ...seller, rating, shipping } }
    assert.deepEqual(shown, { ...copy, ...others })
    assert.deepEqual(seller, { id: eur.id, username: "eur", country: "DE", type: "pro" })
    assert.isTrue([usd, gbp, cad].every(({ listings }) => listings.length === 1))
  })

  it("are not shown for a seller on vacation or not yet live", function* () {
    const product = { productId: 10_016 }
    const shop = yield* makeShop("on-and-off", [{ ...product, price: 1, quantity: 1 }])
    const { controlAccounts } = yield* control
    const params = { accountId: shop.id }
    const count = Effect.map(listingsOf(shop, product.productId), (found) => found.length)
    assert.strictEqual(yield* count, 1)
    yield* shop.api.account.setVacation({ payload: { enabled: true } })
    assert.strictEqual(yield* count, 0)
    yield* shop.api.account.setVacation({ payload: { enabled: false } })
    assert.strictEqual(yield* count, 1)
    yield* controlAccounts.changeAccount({ params, payload: { stage: "staged" } })
    assert.strictEqual(yield* count, 0)
  })

  it("know no cursor of another list, and no id that is none", function* () {
    const { api } = yield* makeParty("asking")
    for (const [productId, query] of [
      ["10007", { cursor: "bGluZTowMDAw" }],
      ["x", {}]
    ] as const) {
      const refused = yield* Effect.flip(api.productListings.productListings({ params: { productId }, query }))
      assert.deepInclude(refused, { code: "BAD_REQUEST" })
    }
  })

  it("make the availability of a search: what matches, and the cheapest in euros", function* () {
    const line = { productId: 10_019, quantity: 4 }
    const eur = yield* makeShop("in euros", [
      { ...line, price: 2 },
      { ...line, price: 1, condition: "DMG" }
    ])
    // 2.10 USD are 1.909 EUR.
    const usd = yield* makeShop("in dollars", [{ ...line, price: 2.1 }], { currency: "USD" })
    const { api } = yield* makeParty("searching")
    const search = (listings: object) =>
      Effect.map(
        api.catalogue.searchProducts({ query: {}, payload: { productIds: [10_019, 10_022], listings } }),
        ({ data, pagination }) =>
          [pagination.total, new Map(data.map(({ availability, id }) => [id, availability]))] as const
      )
    const [total, found] = yield* search({ condition: ["NM"] })
    assert.strictEqual(total, 2)
    assert.deepInclude(found.get(10_019), { inStock: true, listingCount: 2 })
    assert.deepEqual(found.get(10_019)?.cheapest, {
      listingId: usd.listings[0]!,
      price: { amount: 2.1, currency: "USD" },
      priceEur: { amount: 1.91, currency: "EUR" },
      quantity: 4,
      finish: "Standard",
      condition: "NM",
      language: "en",
      seller: { id: usd.id, username: "in dollars", country: "US", type: "pro" }
    })
    assert.deepEqual(found.get(10_022), { inStock: false, listingCount: 0, cheapest: null })
    const [german, stocked] = yield* search({ inStock: true, deliveryCountry: "DE" })
    assert.deepEqual([german, stocked.get(10_019)?.listingCount], [1, 2])
    assert.strictEqual(stocked.get(10_019)?.cheapest?.listingId, eur.listings[1])
    assert.strictEqual((yield* search({ inStock: true, language: ["fr"] }))[0], 0)
  })
})
