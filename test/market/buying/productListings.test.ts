import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { Served } from "../Served.ts"
import { card, listingsOf, makeParty, makeShop } from "../Shop.ts"
import { control } from "../Trader.ts"

layer(Served.layer({ livePrices: "frozen" }))("the listings of a product", (it) => {
  it.effect("come cheapest first, compared in one currency, page by page", () =>
    Effect.gen(function* () {
      // By the sandbox's rates: 1 EUR is 1.10 USD, 0.85 GBP, 1.50 CAD and 0.95 CHF.
      const eur = yield* makeShop("eur", [{ price: 2, quantity: 3 }])
      const usd = yield* makeShop("usd", [{ price: 2.1, quantity: 1 }], { currency: "USD" })
      const gbp = yield* makeShop("gbp", [{ price: 1.75, quantity: 1 }], { currency: "GBP" })
      const cad = yield* makeShop("cad", [{ price: 2.99, quantity: 1 }], { currency: "CAD" })
      const buyer = yield* makeParty("buyer")
      const inEuros = [2.1 / 1.1, 2.99 / 1.5, 2, 1.75 / 0.85]
      assert.deepStrictEqual(inEuros, inEuros.toSorted())
      const found = yield* listingsOf(buyer, card.productId, { limit: 1 })
      assert.deepStrictEqual(
        found.map(({ seller }) => seller.username),
        ["usd", "cad", "eur", "gbp"]
      )
      assert.deepStrictEqual(found[2], {
        listingId: eur.listings[0]!,
        price: { amount: 2, currency: "EUR" },
        quantity: 3,
        condition: "NM",
        language: "en",
        finish: "Standard",
        graded: null,
        comment: null,
        seller: {
          id: eur.id,
          username: "eur",
          country: "DE",
          type: "pro",
          rating: { average: null, count: 0 },
          shipping: null
        },
        photos: []
      })
      assert.isTrue([usd, gbp, cad].every(({ listings }) => listings.length === 1))
    })
  )

  it.effect("with a delivery country are those that are shipped there, with what that costs", () =>
    Effect.gen(function* () {
      const product = { productId: 10_010 }
      yield* makeShop("german", [{ ...product, price: 1, quantity: 1 }])
      yield* makeShop("american", [{ ...product, price: 1, quantity: 1 }], { currency: "USD" })
      const picky = yield* makeShop("picky", [{ ...product, price: 9, quantity: 1 }])
      const { controlBuying } = yield* control
      yield* controlBuying.setSelling({
        params: { accountId: picky.id },
        payload: { shipping: [{ country: "US", amount: 12.5, service: "untracked" }] }
      })
      const buyer = yield* makeParty("from afar")
      const shipping = (deliveryCountry: string) =>
        Effect.map(listingsOf(buyer, product.productId, { deliveryCountry }), (found) =>
          found.map(({ seller }) => [seller.username, seller.shipping])
        )
      assert.deepStrictEqual(yield* shipping("FR"), [["german", { amount: 2.5, currency: "EUR" }]])
      assert.deepStrictEqual(yield* shipping("US"), [
        ["american", { amount: 2.5, currency: "USD" }],
        ["picky", { amount: 12.5, currency: "EUR" }]
      ])
      assert.deepStrictEqual(yield* shipping("JP"), [])
    })
  )

  it.effect("are filtered by region, condition, language and finish", () =>
    Effect.gen(function* () {
      const product = { productId: 10_013 }
      yield* makeShop("filtered", [
        { ...product, price: 1, quantity: 1, condition: "NM" },
        { ...product, price: 2, quantity: 1, condition: "LP" },
        { ...product, price: 3, quantity: 1, condition: "DMG" }
      ])
      yield* makeShop("filtered-us", [{ ...product, price: 1, quantity: 1 }], { currency: "USD" })
      const buyer = yield* makeParty("choosy")
      const prices = (query: Parameters<typeof listingsOf>[2]) =>
        Effect.map(listingsOf(buyer, product.productId, query), (found) => found.map(({ price }) => price.amount))
      assert.deepStrictEqual(yield* prices({ region: "eu" }), [1, 2, 3])
      assert.deepStrictEqual(yield* prices({ region: "na" }), [1])
      assert.deepStrictEqual(yield* prices({ region: "eu", condition: ["LP", "DMG"] }), [2, 3])
      assert.deepStrictEqual(yield* prices({ language: ["fr"] }), [])
      assert.deepStrictEqual(yield* prices({ finish: ["Standard"], condition: ["LP"] }), [2])
    })
  )

  it.effect("are not shown for a seller on vacation or not yet live", () =>
    Effect.gen(function* () {
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
  )

  it.effect("of an unknown product are a 404, and a cursor of another list is a 400", () =>
    Effect.gen(function* () {
      const { api } = yield* makeParty("asking")
      const asked = (productId: string, query = {}) =>
        Effect.flip(api.productListings.productListings({ params: { productId }, query }))
      assert.deepInclude(yield* asked("99999999"), { code: "PRODUCT_NOT_FOUND" })
      assert.deepInclude(yield* asked("10007", { cursor: "bGluZTowMDAw" }), { code: "BAD_REQUEST" })
      assert.deepInclude(yield* asked("x"), { code: "BAD_REQUEST" })
    })
  )
})
