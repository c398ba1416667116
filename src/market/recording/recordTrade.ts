import { Effect } from "effect"
import type { Market } from "./recordControl.ts"
import type { Send } from "./Send.ts"

/** Carts, orders and what becomes of them. */
export const recordTrade = Effect.fnUntraced(function* (send: Send, market: Market) {
  const { buyer, buyerId, seller } = market
  const asSeller = { key: seller }
  const asBuyer = { key: buyer }
  const { data } = yield* send("GET", "/v1/products/{productId}/listings", {
    params: { productId: 10_007 },
    query: "?limit=1&deliveryCountry=FR",
    ...asBuyer
  })
  const { listingId } = data[0]
  const params = { listingId }
  const add = { body: { deliveryCountry: "FR", items: [{ listingId, quantity: 1 }] }, ...asBuyer }
  yield* send("POST", "/v1/cart/items", add)
  yield* send("PATCH", "/v1/cart/items/{listingId}", { params, body: { quantity: 2 }, ...asBuyer })
  yield* send("GET", "/v1/cart", asBuyer)
  yield* send("DELETE", "/v1/cart/items/{listingId}", { params, ...asBuyer })
  yield* send("DELETE", "/v1/cart", asBuyer)
  const buy = Effect.map(
    send("POST", "/sandbox/checkout", { body: { buyerId, items: [{ listingId, quantity: 1 }] } }),
    ({ orders }) => ({ orderNumber: String(orders[0]) })
  )
  const shipped = yield* buy
  const cancelled = yield* buy
  yield* send("GET", "/sandbox/orders", { query: "?limit=1" })
  yield* send("PATCH", "/v1/sales/{orderNumber}/metadata", {
    params: shipped,
    body: { metadata: { channel: "web" } },
    ...asSeller
  })
  yield* send("POST", "/v1/sales/{orderNumber}/mark-shipped", {
    params: shipped,
    body: { trackingNumber: "PARCEL-1" },
    ...asSeller
  })
  yield* send("POST", "/sandbox/orders/{orderNumber}/scans", {
    params: shipped,
    body: { status: "in_transit", location: "Leipzig", carrier: "Post" }
  })
  yield* send("POST", "/sandbox/orders/{orderNumber}/messages", { params: shipped, body: { from: "buyer" } })
  yield* send("POST", "/v1/sales/{orderNumber}/refunds", { params: shipped, body: { amount: 1.5 }, ...asSeller })
  yield* send("POST", "/sandbox/clock", { body: { seconds: 3600 } })
  yield* send("POST", "/sandbox/orders/{orderNumber}/steps", { params: shipped, body: { to: "delivered" } })
  yield* send("POST", "/sandbox/orders/{orderNumber}/review", { params: shipped, body: { stars: 5 } })
  yield* send("GET", "/sandbox/orders/{orderNumber}", { params: shipped })
  yield* send("POST", "/v1/sales/{orderNumber}/cancel", {
    params: cancelled,
    body: { reason: "item_damaged", reasonText: "The card got wet on the way to the post." },
    ...asSeller
  })
  yield* send("POST", "/sandbox/clock", { body: { seconds: 4 * 86_400 } })
  yield* send("GET", "/v1/sales", { query: "?limit=1", ...asSeller })
  yield* send("GET", "/v1/sales/{orderNumber}", { params: shipped, ...asSeller })
  yield* send("GET", "/v1/purchases", { query: "?limit=1", ...asBuyer })
  yield* send("GET", "/v1/purchases/{orderNumber}", { params: shipped, ...asBuyer })
  yield* send("GET", "/v1/products/{productId}/sales", { params: { productId: 10_007 }, query: "?limit=1", ...asBuyer })
  yield* send("GET", "/v1/account/balance", asSeller)
  const requests = yield* send("GET", "/sandbox/requests", { query: "?limit=1" })
  yield* send("GET", "/sandbox/requests/{number}", { params: { number: requests.data[0].number } })
  const deliveries = yield* send("GET", "/sandbox/deliveries", { query: "?limit=1" })
  yield* send("POST", "/sandbox/deliveries/{deliveryId}/replay", { params: { deliveryId: deliveries.data[0].id } })
  const endpoints = yield* send("GET", "/sandbox/webhooks")
  yield* send("DELETE", "/sandbox/webhooks/{endpointId}", { params: { endpointId: endpoints.data[0].id } })
})
