import { textOfMillis } from "../state/MarketClock.ts"
import type { Store } from "../state/State.ts"
import type { Delivery } from "./webhookRoutes.ts"

interface DeliveryRow {
  readonly id: string
  readonly endpoint_id: string
  readonly event_id: string
  readonly type: string
  readonly state: Delivery["state"]
  readonly next_at_millis: number | null
}

interface AttemptRow {
  readonly attempted_at: string
  readonly status: number | null
  readonly error: string | null
}

interface WantedDeliveries {
  readonly endpointId?: string | undefined
  /** Only those that began earlier than this one. */
  readonly before?: string | undefined
  readonly limit: number
}

/** Deliveries with their attempts, newest first. */
export const listDeliveries = (
  store: Store,
  { before, endpointId, limit }: WantedDeliveries
): ReadonlyArray<Delivery> =>
  store
    .all<DeliveryRow>(
      `select delivery.id, endpoint_id, event_id, type, state, next_at_millis
       from deliveries delivery join events event on event.number = event_number
       where endpoint_id = coalesce(:endpointId, endpoint_id) and (:before is null or delivery.id < :before)
       order by delivery.id desc limit :limit`,
      { endpointId: endpointId ?? null, before: before ?? null, limit }
    )
    .map((row) => ({
      id: row.id,
      endpointId: row.endpoint_id,
      eventId: row.event_id,
      type: row.type,
      state: row.state,
      nextAttemptAt: row.next_at_millis === null ? null : textOfMillis(row.next_at_millis),
      attempts: store
        .all<AttemptRow>("select * from delivery_attempts where delivery_id = :id order by number", { id: row.id })
        .map(({ attempted_at, status, error }) => ({ attemptedAt: attempted_at, status, error }))
    }))
