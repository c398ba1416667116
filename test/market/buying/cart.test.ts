import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import type { Cart } from "../../../src/market/contract/buying/Cart.ts"
import { ask, Served } from "../Served.ts"
import { makeParty, makeShop, type Party } from "../Shop.ts"
import { control } from "../Trader.ts"

const add = (buyer: Party, listingId: string, quantity: number, deliveryCountry = "DE") =>
  buyer.api.cart.addItems({ payload: { deliveryCountry, items: [{ listingId, quantity }] } })
const held = (cart: Cart) =>
  cart.sellers.flatMap(({ items }) => items.map(({ quantity, unitPrice }) => [quantity, unitPrice.amount]))

layer(Served.layer())("a cart", (it) => {
  it.effect("has its items by seller, with prices, shipping and sums", () =>
    Effect.gen(function* () {
      const one = yield* makeShop("cart one", [
        { price: 1.5, quantity: 9 },
        { price: 0.1, quantity: 9, condition: "LP" }
      ])
      const two = yield* makeShop("cart two", [{ price: 4, quantity: 9 }])
      const buyer = yield* makeParty("filler")
      assert.deepStrictEqual(yield* buyer.api.cart.cart({}), { deliveryCountry: null, itemCount: 0, sellers: [] })
      const { cart, errors } = yield* buyer.api.cart.addItems({
        payload: {
          deliveryCountry: "FR",
          items: [
            { listingId: one.listings[0]!, quantity: 3 },
            { listingId: two.listings[0]!, quantity: 1 },
            { listingId: one.listings[1]!, quantity: 3 }
          ]
        }
      })
      assert.deepStrictEqual(errors, [])
      assert.deepStrictEqual([cart.deliveryCountry, cart.itemCount], ["FR", 7])
      assert.deepStrictEqual(
        cart.sellers.map(({ seller, itemsSubtotal, items }) => [
          seller.username,
          seller.shipping?.amount,
          itemsSubtotal,
          items.map(({ lineTotal }) => lineTotal.amount)
        ]),
        [
          ["cart one", 2.5, { amount: 4.8, currency: "EUR" }, [4.5, 0.3]],
          ["cart two", 2.5, { amount: 4, currency: "EUR" }, [4]]
        ]
      )
      const [item] = cart.sellers[0]!.items
      assert.deepInclude(item, { productId: 10_007, productName: "Ashen Warden", condition: "NM", finish: "Standard" })
      const stock = yield* one.api.inventory.line({ params: { inventoryId: one.inventoryIds[0]! } })
      assert.strictEqual(stock.quantity, 9, "nothing is reserved")
    })
  )

  it.effect("says of each item that it does not take why", () =>
    Effect.gen(function* () {
      const { controlAccounts, controlBuying } = yield* control
      const plenty = yield* makeShop("plenty", [{ price: 1, quantity: 2000 }])
      const few = yield* makeShop("few", [{ price: 1, quantity: 2 }])
      const far = yield* makeShop("far", [{ price: 1, quantity: 2 }], { currency: "USD" })
      const away = yield* makeShop("away", [{ price: 1, quantity: 2 }])
      const choosy = yield* makeShop("choosy", [{ price: 1, quantity: 2 }])
      const local = yield* makeShop("local", [{ price: 1, quantity: 2 }])
      const buyer = yield* makeShop("also a seller", [{ price: 1, quantity: 2 }])
      yield* controlAccounts.changeAccount({ params: { accountId: away.id }, payload: { status: "suspended" } })
      const selling = (accountId: string, payload: object) =>
        controlBuying.setSelling({ params: { accountId }, payload })
      yield* selling(choosy.id, { excludedBuyers: [buyer.id] })
      yield* selling(local.id, { shipping: [{ country: "AT", amount: 1, service: "tracked" }] })
      const wanted = [
        ["lst_none", 1],
        [buyer.listings[0]!, 1],
        [few.listings[0]!, 3],
        [plenty.listings[0]!, 1001],
        [few.listings[0]!, 2],
        [few.listings[0]!, 1],
        [far.listings[0]!, 1],
        [local.listings[0]!, 1],
        [away.listings[0]!, 1],
        [choosy.listings[0]!, 1]
      ] as const
      const { cart, errors } = yield* buyer.api.cart.addItems({
        payload: { deliveryCountry: "DE", items: wanted.map(([listingId, quantity]) => ({ listingId, quantity })) }
      })
      assert.deepStrictEqual(
        errors.map(({ index, code, data }) => [index, code, data]),
        [
          [0, "LISTING_NOT_FOUND", {}],
          [1, "OWN_LISTING", {}],
          [2, "INSUFFICIENT_QUANTITY", { available: 2, requested: 3 }],
          [3, "QUANTITY_LIMIT_EXCEEDED", { max: 1000 }],
          [5, "INSUFFICIENT_QUANTITY", { available: 2, requested: 3 }],
          [6, "REGION_MISMATCH", { region: "na", cartRegion: "eu" }],
          [7, "SELLER_DOES_NOT_SHIP_TO_COUNTRY", { country: "DE" }],
          [8, "SELLER_UNAVAILABLE", {}],
          [9, "BUYER_EXCLUDED", {}]
        ]
      )
      assert.strictEqual(cart.itemCount, 2)
    })
  )

  it.effect("follows a lower price, drops an item whose price was raised, and shrinks with the stock", () =>
    Effect.gen(function* () {
      const shop = yield* makeShop("moving", [
        { price: 5, quantity: 9 },
        { price: 6, quantity: 9, condition: "LP" },
        { price: 7, quantity: 9, condition: "MP" }
      ])
      const buyer = yield* makeParty("watcher")
      for (const listingId of shop.listings) yield* add(buyer, listingId, 5)
      const price = (amount: number) => ({ price: { amount, currency: "EUR" } }) as const
      const params = (at: number) => ({ inventoryId: shop.inventoryIds[at]! })
      yield* shop.api.listings.reprice({ params: params(0), payload: price(4) })
      yield* shop.api.listings.reprice({ params: params(1), payload: price(6.01) })
      yield* shop.api.inventory.changeLine({ params: params(2), payload: { quantity: { set: 3 } } })
      assert.deepStrictEqual(held(yield* buyer.api.cart.cart({})), [
        [5, 4],
        [3, 7]
      ])
      yield* shop.api.listings.reprice({ params: params(0), payload: price(4.5) })
      assert.deepStrictEqual(held(yield* buyer.api.cart.cart({})), [[3, 7]])
    })
  )

  it.effect("that goes to another country drops sellers that do not ship there", () =>
    Effect.gen(function* () {
      const wide = yield* makeShop("wide", [{ price: 5, quantity: 9 }])
      const narrow = yield* makeShop("narrow", [{ price: 6, quantity: 9 }])
      yield* (yield* control).controlBuying.setSelling({
        params: { accountId: narrow.id },
        payload: { shipping: [{ country: "DE", amount: 1, service: "tracked" }] }
      })
      const buyer = yield* makeParty("mover")
      yield* add(buyer, wide.listings[0]!, 1)
      assert.strictEqual((yield* add(buyer, narrow.listings[0]!, 1)).cart.itemCount, 2)
      const { cart } = yield* add(buyer, wide.listings[0]!, 1, "FR")
      assert.deepStrictEqual([cart.deliveryCountry, held(cart)], ["FR", [[2, 5]]])
    })
  )

  it.effect("changes an item's quantity; 0 removes it, too many are a 400, and what is not in it is a 404", () =>
    Effect.gen(function* () {
      const shop = yield* makeShop("counted", [{ price: 5, quantity: 9 }])
      const params = { listingId: shop.listings[0]! }
      const { api, ...buyer } = yield* makeParty("counter")
      assert.deepInclude(yield* Effect.flip(api.cart.changeItem({ params, payload: { quantity: 1 } })), {
        code: "NOT_FOUND"
      })
      yield* add({ api, ...buyer }, shop.listings[0]!, 1)
      assert.deepStrictEqual(held(yield* api.cart.changeItem({ params, payload: { quantity: 9 } })), [[9, 5]])
      assert.deepInclude(yield* Effect.flip(api.cart.changeItem({ params, payload: { quantity: 10 } })), {
        code: "BAD_REQUEST",
        message: "quantity: INSUFFICIENT_QUANTITY: at most 9"
      })
      assert.deepStrictEqual(held(yield* api.cart.changeItem({ params, payload: { quantity: 0 } })), [])
    })
  )

  it.effect("can be emptied, or lose an item, twice with the same result", () =>
    Effect.gen(function* () {
      const shop = yield* makeShop("removed", [{ price: 5, quantity: 9 }])
      const buyer = yield* makeParty("remover")
      const empty = { deliveryCountry: null, itemCount: 0, sellers: [] }
      const params = { listingId: shop.listings[0]! }
      yield* add(buyer, shop.listings[0]!, 1)
      assert.deepStrictEqual(yield* buyer.api.cart.removeItem({ params, payload: {} }), empty)
      assert.deepStrictEqual(yield* buyer.api.cart.removeItem({ params, payload: {} }), empty)
      yield* add(buyer, shop.listings[0]!, 1)
      assert.deepStrictEqual(yield* buyer.api.cart.emptyCart({ payload: {} }), empty)
      assert.deepStrictEqual(yield* buyer.api.cart.emptyCart({ payload: {} }), empty)
    })
  )

  it.effect("takes an item once under one Idempotency-Key, and again a day later", () =>
    Effect.gen(function* () {
      const shop = yield* makeShop("once", [{ price: 5, quantity: 9 }])
      const { key } = yield* makeParty("retrying")
      const put = Effect.map(
        ask("/v1/cart/items", {
          key,
          headers: { "idempotency-key": "one" },
          body: { deliveryCountry: "DE", items: [{ listingId: shop.listings[0]!, quantity: 2 }] }
        }),
        ({ json }) => (json as unknown as { cart: { itemCount: number } }).cart.itemCount
      )
      assert.deepStrictEqual([yield* put, yield* put], [2, 2])
      yield* ask("/sandbox/clock", { body: { seconds: 24 * 3600 + 1 } })
      assert.strictEqual(yield* put, 4)
    })
  )
})
