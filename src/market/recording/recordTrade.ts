import { Effect } from "effect"
import { type Send, withKey } from "./sending.ts"
import type { KnownDialect } from "../../feed/contract/dialect/dialects.ts"

/** Records the buyer's cart calls. Returns a listing that can be bought. */
const recordCart = Effect.fnUntraced(function* (asBuyer: Send) {
  // The sample has no listings of this finish: the seller's own is the only one.
  const query = "?limit=1&finish=Standard&deliveryCountry=FR"
  const product = { params: { productId: 10_007 }, query }
  const { data } = yield* asBuyer("GET", "/v1/products/{productId}/listings", product)
  const listingId = String(data[0].listingId)
  const params = { listingId }
  const items = [{ listingId, quantity: 1 }]
  yield* asBuyer("POST", "/v1/cart/items", { body: { deliveryCountry: "FR", items } })
  yield* asBuyer("PATCH", "/v1/cart/items/{listingId}", { params, body: { quantity: 2 } })
  yield* asBuyer("GET", "/v1/cart")
  yield* asBuyer("DELETE", "/v1/cart/items/{listingId}", { params })
  yield* asBuyer("DELETE", "/v1/cart")
  return items
})

/** Records two orders: one is shipped, partly refunded and delivered, the other cancelled. */
const recordOrders = Effect.fnUntraced(function* (send: Send, asSeller: Send, body: unknown) {
  const buy = Effect.map(send("POST", "/sandbox/checkout", { body }), ({ orders }) => ({
    orderNumber: String(orders[0])
  }))
  const params = yield* buy
  const cancelled = yield* buy
  yield* send("GET", "/sandbox/orders", { query: "?limit=1" })
  const metadata = { channel: "web" }
  yield* asSeller("PATCH", "/v1/sales/{orderNumber}/metadata", { params, body: { metadata } })
  const parcel = { trackingNumber: "PARCEL-1" }
  yield* asSeller("POST", "/v1/sales/{orderNumber}/mark-shipped", { params, body: parcel })
  const scan = { status: "in_transit", location: "Leipzig", carrier: "Post" }
  yield* send("POST", "/sandbox/orders/{orderNumber}/scans", { params, body: scan })
  yield* send("POST", "/sandbox/orders/{orderNumber}/messages", { params, body: { from: "buyer" } })
  yield* asSeller("POST", "/v1/sales/{orderNumber}/refunds", { params, body: { amount: 1.5 } })
  yield* send("POST", "/sandbox/clock", { body: { seconds: 3600 } })
  yield* send("POST", "/sandbox/orders/{orderNumber}/steps", { params, body: { to: "delivered" } })
  yield* send("POST", "/sandbox/orders/{orderNumber}/review", { params, body: { stars: 5 } })
  yield* send("GET", "/sandbox/orders/{orderNumber}", { params })
  const why = { reason: "item_damaged", reasonText: "The card got wet on the way to the post." }
  yield* asSeller("POST", "/v1/sales/{orderNumber}/cancel", { params: cancelled, body: why })
  yield* send("POST", "/sandbox/clock", { body: { seconds: 4 * 86_400 } })
  return params
})

/** Records carts and orders. */
export const recordTrade = Effect.fnUntraced(function* (send: Send, { buyer, buyerId, seller }: Market) {
  const asSeller = withKey(send, seller)
  const asBuyer = withKey(send, buyer)
  const items = yield* recordCart(asBuyer)
  const params = yield* recordOrders(send, asSeller, { buyerId, items })
  const query = "?limit=1"
  yield* asSeller("GET", "/v1/sales", { query })
  yield* asSeller("GET", "/v1/sales/{orderNumber}", { params })
  yield* asBuyer("GET", "/v1/purchases", { query })
  yield* asBuyer("GET", "/v1/purchases/{orderNumber}", { params })
  yield* asBuyer("GET", "/v1/products/{productId}/sales", { params: { productId: 10_007 }, query })
  yield* asSeller("GET", "/v1/account/balance")
  const requests = yield* send("GET", "/sandbox/requests", { query })
  yield* send("GET", "/sandbox/requests/{number}", { params: { number: requests.data[0].number } })
  const deliveries = yield* send("GET", "/sandbox/deliveries", { query })
  yield* send("POST", "/sandbox/deliveries/{deliveryId}/replay", { params: { deliveryId: deliveries.data[0].id } })
  const endpoints = yield* send("GET", "/sandbox/webhooks")
  yield* send("DELETE", "/sandbox/webhooks/{endpointId}", { params: { endpointId: endpoints.data[0].id } })
})

/** The receiver of the seller's events. */
export interface Hook {
  readonly url: string
  /** Sets the secret for signatures. */
  readonly trust: (secret: string) => void
}

/** Traders with keys of all scopes. */
interface Market {
  readonly seller: string
  readonly buyer: string
  readonly buyerId: string
}

/** Records accounts, keys, webhooks, the clock and other calls without orders. */
export const recordControl = Effect.fnUntraced(function* (send: Send, hook: Hook, dialect: KnownDialect) {
  yield* send("GET", "/sandbox/faults")
  const seller = { type: "pro", currency: "EUR" }
  const ann = yield* send("POST", "/sandbox/accounts", { body: { username: "ann", country: "DE", seller } })
  const ben = yield* send("POST", "/sandbox/accounts", { body: { username: "ben", country: "FR" } })
  const accountId = ann.account.id
  yield* send("GET", "/sandbox/accounts")
  yield* send("PATCH", "/sandbox/accounts/{accountId}", { params: { accountId }, body: { status: "active" } })
  const shipping = ["DE", "FR"].map((country) => ({ country, amount: 2.5, service: "tracked" }))
  yield* send("PUT", "/sandbox/accounts/{accountId}/selling", { params: { accountId }, body: { shipping } })
  const key = yield* send("POST", "/sandbox/accounts/{accountId}/keys", {
    params: { accountId },
    body: { scopes: ["sales:read"] }
  })
  yield* send("GET", "/sandbox/keys")
  yield* send("DELETE", "/sandbox/keys/{keyId}", { params: { keyId: key.id } })
  const endpoint = yield* send("POST", "/sandbox/webhooks", { body: { accountId, url: hook.url } })
  hook.trust(endpoint.secret)
  yield* send("GET", "/sandbox/webhooks")
  yield* send("PATCH", "/sandbox/webhooks/{endpointId}", {
    params: { endpointId: endpoint.id },
    body: { enabled: true }
  })
  yield* send("POST", "/sandbox/webhooks/{endpointId}/test", { params: { endpointId: endpoint.id } })
  const rare = { endpoint: "refunds", kind: "server-error", status: 502, at: [1000] }
  yield* send("PUT", "/sandbox/faults", { body: { seed: 1, rules: [rare] } })
  yield* send("PATCH", "/sandbox/faults", { body: { on: false } })
  yield* send("GET", "/sandbox/clock")
  yield* send("POST", "/sandbox/clock", { body: { seconds: 3600 } })
  yield* send("GET", "/sandbox/dialect")
  yield* send("POST", "/sandbox/dialect", { body: { dialect } })
  yield* send("GET", "/sandbox/limits")
  yield* send("GET", "/sandbox/feeds")
  yield* send("POST", "/sandbox/feeds", { body: { linkSeconds: 3600 } })
  yield* send("GET", "/sandbox/tables")
  yield* send("GET", "/sandbox/tables/{name}", { params: { name: "accounts" } })
  yield* send("POST", "/sandbox/deploy", { body: { gameId: "emberfall" } })
  yield* send("POST", "/sandbox/reprice", { body: { gameId: "tidewrack" } })
  const market: Market = { seller: ann.key.key, buyer: ben.key.key, buyerId: ben.account.id }
  return market
})
