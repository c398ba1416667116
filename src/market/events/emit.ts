import type { MarketEvent, ChangedQuantity, QuantityReason } from "../contract/events/MarketEvent.ts"
import type { Transaction } from "../state/State.ts"
import { limits } from "../contract/Limits.ts"

/** The emitter's part of an event; the timestamp and, usually, the id are added here. */
type NewEvent = MarketEvent extends infer Event
  ? Event extends MarketEvent
    ? Omit<Event, "eventId" | "timestamp"> & { readonly eventId?: string }
    : never
  : never

/** Writes an event for an account and returns its id and number. */
const writeEvent = (tx: Transaction, accountId: string, event: NewEvent) => {
  const { type, eventId = tx.newId(), ...rest } = event
  const written = tx.one<{ number: number }>(
    `insert into events (event_id, account_id, type, happened_at, body)
     values (:eventId, :accountId, :type, :at, :body) returning number`,
    { eventId, accountId, type, at: tx.at, body: JSON.stringify({ type, eventId, timestamp: tx.at, ...rest }) }
  )
  return { eventId, number: written?.number ?? null }
}

const deliver = (tx: Transaction, number: number | null, endpointId: string): string => {
  const id = tx.newId()
  tx.run(
    "insert into deliveries (id, event_number, endpoint_id, next_at_millis) values (:id, :number, :endpointId, :now)",
    { id, number, endpointId, now: tx.atMillis }
  )
  return id
}

/** Writes an event that is delivered to only one endpoint of the account. */
export const emitTo = (
  tx: Transaction,
  { accountId, id }: { readonly accountId: string; readonly id: string },
  event: NewEvent
) => {
  const { eventId, number } = writeEvent(tx, accountId, event)
  return { eventId, deliveryId: deliver(tx, number, id) }
}

/**
 * Writes an event and its delivery to each endpoint of the account. It shares the transaction of the reported change,
 * so that neither exists alone.
 */
export const emit = (tx: Transaction, accountId: string, event: NewEvent): void => {
  const { number } = writeEvent(tx, accountId, event)
  const endpoints = tx.all<{ id: string }>(
    "select id from webhook_endpoints where account_id = :accountId and disabled_at is null order by id",
    { accountId }
  )
  for (const { id } of endpoints) deliver(tx, number, id)
}

/**
 * Reports changed quantities, at most 500 lines per event, each with its own id. Unchanged quantities are omitted.
 * Spec: inventory.quantity.changed.
 */
export const emitQuantities = (
  tx: Transaction,
  accountId: string,
  { lines, reason }: { readonly reason: QuantityReason; readonly lines: ReadonlyArray<ChangedQuantity> }
): void => {
  const changed = lines.filter(({ before, after }) => before !== after)
  if (changed.length === 0) return
  const set = tx.newId()
  for (let at = 0; at < changed.length; at += limits.changesPerEvent) {
    emit(tx, accountId, {
      type: "inventory.quantity.changed",
      eventId: `${set}-${at / limits.changesPerEvent}`,
      data: { reason, changes: changed.slice(at, at + limits.changesPerEvent) }
    })
  }
}
