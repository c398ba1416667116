import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { Served } from "../Served.ts"
import { buy, makeParty, makeShop } from "../Shop.ts"
import { control } from "../Trader.ts"

layer(Served.layer())("the web shop's checkout", (it) => {
  it.effect("turns a cart into one order per seller, empties it, and takes the stock with its event", () =>
    Effect.gen(function* () {
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
      assert.deepStrictEqual(
        purchases.data.map(({ orderNumber, seller }) => [orderNumber, seller.username]),
        [
          [orders[1], "sells two"],
          [orders[0], "sells one"]
        ]
      )
      assert.strictEqual((yield* buyer.api.cart.cart({})).itemCount, 0)
      const line = yield* one.api.inventory.line({ params: { inventoryId: one.inventoryIds[0]! } })
      assert.strictEqual(line.quantity, 0, "a line that is sold out stays, because its sale names it")
      const quantities = (yield* one.events).filter(({ type }) => type === "inventory.quantity.changed")
      assert.deepStrictEqual(quantities.at(-1)?.data, {
        reason: "order",
        changes: [{ inventoryId: line.id, customId: "A-1", productId: 10_007, before: 3, after: 0 }]
      } as never)
    })
  )

  it.effect("refuses an empty cart, listings that cannot be bought, and an unknown buyer", () =>
    Effect.gen(function* () {
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
  )

  it.effect("sells the last unit once, however many ask at the same time", () =>
    Effect.gen(function* () {
      const shop = yield* makeShop("last", [{ price: 1, quantity: 1 }])
      const buyers = yield* Effect.forEach(["x", "y", "z"], (name) => makeParty(`races ${name}`))
      const item = { listingId: shop.listings[0]!, quantity: 1 }
      const exits = yield* Effect.forEach(buyers, (buyer) => Effect.exit(buy(buyer, [item])), { concurrency: 3 })
      assert.strictEqual(exits.filter(({ _tag }) => _tag === "Success").length, 1)
      assert.strictEqual((yield* shop.api.sales.sales({ query: {} })).data.length, 1)
    })
  )
})
