import { Effect } from "effect"
import type { KnownDialect } from "../../feed/contract/dialect/dialects.ts"
import type { Send } from "./sending.ts"

/** Where the seller's events are sent to. */
export interface Hook {
  readonly url: string
  /** The secret that they are signed with. */
  readonly trust: (secret: string) => void
}

/** Who trades: accounts with a key to everything. */
export interface Market {
  readonly seller: string
  readonly buyer: string
  readonly buyerId: string
}

/** Accounts, keys, webhooks, the clock and whatever needs no orders. */
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
