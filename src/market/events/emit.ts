import type { MarketEvent } from "../contract/events/MarketEvent.ts"
import type { Transaction } from "../state/State.ts"

/** What only the emitter knows about an event; the timestamp and, usually, the id are set here. */
export type NewEvent = MarketEvent extends infer Event
  ? Event extends MarketEvent
    ? Omit<Event, "eventId" | "timestamp"> & { readonly eventId?: string }
    : never
  : never

/**
 * Writes an event, and its delivery to each endpoint of the account, in the same
 * transaction as what it tells of, so that neither is there without the other.
 */
export const emit = (tx: Transaction, accountId: string, event: NewEvent): void => {
  const { type, eventId = tx.newId(), ...rest } = event
  const written = tx.one<{ number: number }>(
    `insert into events (event_id, account_id, type, happened_at, body)
     values (:eventId, :accountId, :type, :at, :body) returning number`,
    { eventId, accountId, type, at: tx.at, body: JSON.stringify({ type, eventId, timestamp: tx.at, ...rest }) }
  )
  const endpoints = tx.all<{ id: string }>(
    "select id from webhook_endpoints where account_id = :accountId and disabled_at is null order by id",
    { accountId }
  )
  for (const endpoint of endpoints) {
    tx.run(
      "insert into deliveries (id, event_number, endpoint_id, next_at_millis) values (:id, :number, :endpoint, :now)",
      { id: tx.newId(), number: written?.number ?? null, endpoint: endpoint.id, now: tx.atMillis }
    )
  }
}
