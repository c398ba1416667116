import { randomBytes } from "node:crypto"
import { Result, Schema } from "effect"
import { showBalance, findWallet } from "../accounts/accounts.ts"
import { textOfMillis } from "../state/MarketClock.ts"
import type { Store, Transaction } from "../state/State.ts"
import { Instant } from "../../feed/contract/Catalogue.ts"
import { Conflict } from "../contract/inventory/InventoryErrors.ts"
import { emitTo } from "./emit.ts"

/** A row of `webhook_endpoints`. */
interface EndpointRow {
  readonly id: string
  readonly account_id: string
  readonly url: string
  readonly created_at: string
  readonly failing_since_millis: number | null
  readonly disabled_at: string | null
}

/**
 * A webhook address of an account, without its secret. `failingSince` is the first failure since the last
 * acknowledgement; `disabledAt` is null while enabled.
 */
export const WebhookEndpoint = Schema.Struct({
  id: Schema.String,
  accountId: Schema.String,
  url: Schema.String,
  createdAt: Instant,
  failingSince: Schema.NullOr(Instant),
  disabledAt: Schema.NullOr(Instant)
}).annotate({ title: "WebhookEndpoint" })
export type Endpoint = typeof WebhookEndpoint.Type

const showEndpoint = (row: EndpointRow): Endpoint => ({
  id: row.id,
  accountId: row.account_id,
  url: row.url,
  createdAt: row.created_at,
  failingSince: row.failing_since_millis === null ? null : textOfMillis(row.failing_since_millis),
  disabledAt: row.disabled_at
})

export const listEndpoints = (store: Store): ReadonlyArray<Endpoint> =>
  store.all<EndpointRow>("select * from webhook_endpoints order by id").map(showEndpoint)

export const findEndpoint = (store: Store, id: string): Endpoint | undefined => {
  const row = store.one<EndpointRow>("select * from webhook_endpoints where id = :id", { id })
  return row === undefined ? undefined : showEndpoint(row)
}

/** Returns a new secret in the format of Standard Webhooks. */
const newSigningSecret = (): string => `whsec_${randomBytes(24).toString("base64")}`

/** Adds an endpoint for future events. The secret is returned only here. */
export const addEndpoint = (tx: Transaction, accountId: string, url: string) => {
  const [id, secret] = [tx.newId(), newSigningSecret()]
  tx.run(
    `insert into webhook_endpoints (id, account_id, url, secret, created_at)
     values (:id, :accountId, :url, :secret, :at)`,
    { id, accountId, url, secret, at: tx.at }
  )
  return { id, secret }
}

/** Enables an endpoint for future events. */
export const enableEndpoint = (tx: Transaction, id: string): void =>
  void tx.run("update webhook_endpoints set disabled_at = null, failing_since_millis = null where id = :id", { id })

export const removeEndpoint = (tx: Transaction, id: string): void =>
  void tx.run("delete from webhook_endpoints where id = :id", { id })

export const switchedOff = () => new Conflict({ message: "The endpoint is switched off; switch it on first", data: {} })

/** The balance of an account that does not sell and thus has no wallet. */
const noWallet = { currency: "EUR", available_cents: 0, pending_cents: 0, updated_at: "" } as const

/** Sends the account's current balance to one endpoint. A receiver may process it like any other event. */
export const testDelivery = (tx: Transaction, endpoint: Endpoint) => {
  if (endpoint.disabledAt !== null) {
    return Result.fail(switchedOff())
  }
  const wallet = findWallet(tx, endpoint.accountId) ?? noWallet
  const data = { ...showBalance(wallet), updatedAt: tx.at }
  return Result.succeed(emitTo(tx, endpoint, { type: "balance.updated", data }))
}
