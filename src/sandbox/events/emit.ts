import type { MarketEvent } from "../../contract/events/MarketEvent.ts"
import type { Transaction } from "../state/State.ts"

/** What only the emitter knows of an event; the timestamp and, mostly, the id are given here. */
export type NewEvent = MarketEvent extends infer Event
  ? Event extends MarketEvent
    ? Omit<Event, "eventId" | "timestamp"> & { readonly eventId?: string }
    : never
  : never

/** Writes an event in the same transaction as what it tells of, so that neither is there without the other. */
export const emit = (tx: Transaction, accountId: string, event: NewEvent): void => {
  const { type, eventId = tx.newId(), ...rest } = event
  tx.run(
    "insert into events (event_id, account_id, type, happened_at, body) values (:eventId, :accountId, :type, :at, :body)",
    { eventId, accountId, type, at: tx.at, body: JSON.stringify({ type, eventId, timestamp: tx.at, ...rest }) }
  )
}
