import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { makeParty, makeShop } from "../Shop.ts"
import { Served } from "../Served.ts"

layer(Served.layer({ livePrices: "frozen" }))("the availability of a search with listings", (it) => {
  it.effect("counts what matches the filter and names the cheapest, compared in euros", () =>
    Effect.gen(function* () {
      const eur = yield* makeShop("eur", [
        { price: 2, quantity: 3 },
        { price: 1, quantity: 1, condition: "DMG" }
      ])
      // 2.10 USD are 1.909 EUR.
      const usd = yield* makeShop("usd", [{ price: 2.1, quantity: 4 }], { currency: "USD" })
      const { api } = yield* makeParty("searching")
      const search = (listings: object, more: object = {}) =>
        Effect.map(
          api.catalogue.searchProducts({ query: {}, payload: { productIds: [10_007, 10_010], listings, ...more } }),
          ({ data, pagination }) => ({
            total: pagination.total,
            found: data.map(({ id, availability }) => ({ id, availability }))
          })
        )
      const none = { inStock: false, listingCount: 0, cheapest: null }
      const cheapest = {
        listingId: usd.listings[0]!,
        price: { amount: 2.1, currency: "USD" },
        priceEur: { amount: 1.91, currency: "EUR" },
        quantity: 4,
        finish: "Standard",
        condition: "NM",
        language: "en",
        seller: { id: usd.id, username: "usd", country: "US", type: "pro" }
      }
      const { found, total } = yield* search({ condition: ["NM"] })
      assert.strictEqual(total, 2)
      assert.deepStrictEqual(found.find(({ id }) => id === 10_007)?.availability, {
        inStock: true,
        listingCount: 2,
        cheapest
      })
      assert.deepStrictEqual(found.find(({ id }) => id === 10_010)?.availability, none)
      const german = yield* search({ inStock: true, deliveryCountry: "DE" })
      assert.deepStrictEqual([german.total, german.found.map(({ id }) => id)], [1, [10_007]])
      const { availability } = german.found[0]!
      assert.strictEqual(availability?.listingCount, 2)
      assert.deepInclude(availability?.cheapest, {
        listingId: eur.listings[1]!,
        priceEur: { amount: 1, currency: "EUR" }
      })
      assert.strictEqual((yield* search({ inStock: true, language: ["fr"] })).total, 0)
      assert.deepStrictEqual((yield* search({})).found.length, 2)
    })
  )
})
