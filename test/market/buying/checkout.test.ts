import { assert } from "@effect/vitest"
import { Effect } from "effect"
import type { Cart } from "../../../src/market/contract/buying/cartOperations.ts"
import { Served, control } from "../Served.ts"
import { makeParty, makeShop, type Party } from "../Shop.ts"
import { suite, values } from "../../support/sandbox.ts"

const add = (buyer: Party, listingId: string, quantity: number, deliveryCountry = "DE") =>
  buyer.api.cart.addItems({ payload: { deliveryCountry, items: [{ listingId, quantity }] } })
const held = (cart: Cart) =>
  cart.sellers.flatMap(({ items }) => items.map(({ quantity, unitPrice }) => [quantity, unitPrice.amount]))

suite(Served.layer())("a cart", (it) => {
  it("follows a lower price, drops an item whose price was raised, and shrinks with the stock", function* () {
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
    assert.deepEqual(held(yield* buyer.api.cart.cart({})), [
      [5, 4],
      [3, 7]
    ])
    yield* shop.api.listings.reprice({ params: params(0), payload: price(4.5) })
    assert.deepEqual(held(yield* buyer.api.cart.cart({})), [[3, 7]])
  })

  it("that goes to another country drops sellers that do not ship there", function* () {
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
    assert.deepEqual([cart.deliveryCountry, held(cart)], ["FR", [[2, 5]]])
  })
})

suite(Served.layer())("the web shop's checkout", (it) => {
  it("turns a cart into one order per seller, empties it, and takes the stock with its event", function* () {
    const one = yield* makeShop("sells one", [{ price: 1.5, quantity: 3, customId: "A-1" }])
    const two = yield* makeShop("sells two", [{ price: 4, quantity: 5 }])
    const buyer = yield* makeParty("pays")
    yield* buyer.api.cart.addItems({
      payload: {
        deliveryCountry: "DE",
        items: [
          { listingId: one.listings[0]!, quantity: 3 },
          { listingId: two.listings[0]!, quantity: 1 }
        ]
      }
    })
    const { controlBuying } = yield* control
    const { orders } = yield* controlBuying.checkout({ payload: { buyerId: buyer.id } })
    const purchases = yield* buyer.api.purchases.purchases({ query: {} })
    const [first, second] = orders
    assert.deepEqual(values(purchases.data, "orderNumber", "seller.username"), [
      [second, "sells two"],
      [first, "sells one"]
    ])
    assert.strictEqual((yield* buyer.api.cart.cart({})).itemCount, 0)
    const line = yield* one.api.inventory.line({ params: { inventoryId: one.inventoryIds[0]! } })
    assert.strictEqual(line.quantity, 0, "a line that is sold out stays, because its sale names it")
    const quantities = (yield* one.events).filter(({ type }) => type === "inventory.quantity.changed")
    assert.deepEqual(quantities.at(-1)?.data, {
      reason: "order",
      changes: [{ inventoryId: line.id, customId: "A-1", productId: 10_007, before: 3, after: 0 }]
    } as never)
  })

  it("refuses an empty cart, listings that cannot be bought, and an unknown buyer", function* () {
    const shop = yield* makeShop("refuses", [{ price: 1, quantity: 1 }])
    const buyer = yield* makeParty("refused")
    const { controlBuying } = yield* control
    const refusal = (payload: object) =>
      Effect.map(Effect.flip(controlBuying.checkout({ payload: { buyerId: buyer.id, ...payload } })), (error) =>
        "code" in error ? `${error.code} ${error.message}` : String(error)
      )
    assert.match(yield* refusal({}), /^CONFLICT The cart is empty/)
    const items = [{ listingId: shop.listings[0]!, quantity: 2 }]
    assert.match(yield* refusal({ items }), /^BAD_REQUEST items.0: INSUFFICIENT_QUANTITY/)
    assert.match(yield* refusal({ buyerId: "nobody" }), /^NOT_FOUND/)
    const stock = yield* shop.api.inventory.line({ params: { inventoryId: shop.inventoryIds[0]! } })
    assert.strictEqual(stock.quantity, 1)
  })
})
