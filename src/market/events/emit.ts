import { Effect, FiberSet, Clock, Result } from "effect"
import { HttpClient, FetchHttpClient, HttpClientRequest } from "effect/http"
import { Webhook } from "standardwebhooks"
import type { MarketEvent, ChangedQuantity, QuantityReason } from "../contract/events/MarketEvent.ts"
import { type Transaction, State, untilWritten, type Store } from "../state/State.ts"
import { limits } from "../contract/Limits.ts"
import { MarketClock, machineMillis } from "../state/MarketClock.ts"

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

/** Seconds between attempts. After the last one, the delivery has failed. Beyond the spec: section 14. */
const waitSeconds = [5, 5 * 60, 30 * 60, 2 * 3600, 5 * 3600, 10 * 3600, 10 * 3600]

/** Returns the milliseconds to wait after this many failed attempts; undefined after the last. */
const retryWaitMillis = (attempts: number): number | undefined => {
  const seconds = waitSeconds[attempts - 1]
  return seconds === undefined ? undefined : seconds * 1000
}

/** Time after which a failing endpoint is disabled. Beyond the spec: section 14. */
const maxFailureMillis = 5 * 24 * 3600 * 1000

/** Timeout of an attempt. Beyond the spec: section 14. */
export const answerSeconds = 15

/** An event to send, with its endpoint. */
export interface DueDelivery {
  readonly id: string
  readonly next_at_millis: number
  readonly event_number: number
  readonly url: string
  readonly secret: string
  readonly body: string
}

/** The result of an attempt: the status of the answer, or the error without one. */
export type Outcome = { readonly status: number } | { readonly error: string }

/** Returns the next deliveries, earliest due first. */
export const waitingDeliveries = (store: Store, count: number): ReadonlyArray<DueDelivery> =>
  store.all<DueDelivery>(
    `select delivery.id, next_at_millis, event_number, url, secret, body
     from deliveries delivery
     join webhook_endpoints endpoint on endpoint.id = endpoint_id
     join events event on event.number = event_number
     where next_at_millis is not null order by next_at_millis, delivery.id limit :count`,
    { count }
  )

/** Disables an endpoint. Its waiting deliveries fail. */
export const disableEndpoint = (tx: Transaction, id: string): void => {
  tx.run("update webhook_endpoints set disabled_at = coalesce(disabled_at, :at) where id = :id", { id, at: tx.at })
  tx.run(
    "update deliveries set state = 'failed', next_at_millis = null where endpoint_id = :id and state = 'pending'",
    { id }
  )
}

const isAcknowledged = (outcome: Outcome): boolean =>
  "status" in outcome && outcome.status >= 200 && outcome.status < 300

interface AttemptedRow {
  readonly endpoint_id: string
  readonly attempts: number
  readonly failing_since_millis: number | null
}

const acknowledge = (tx: Transaction, id: string, endpointId: string) => {
  tx.run("update deliveries set state = 'delivered', next_at_millis = null where id = :id", { id })
  tx.run("update webhook_endpoints set failing_since_millis = null where id = :endpointId", { endpointId })
}

const fail = (tx: Transaction, id: string, { endpoint_id: endpointId, attempts, ...row }: AttemptedRow) => {
  const since = row.failing_since_millis ?? tx.atMillis
  tx.run("update webhook_endpoints set failing_since_millis = :since where id = :endpointId", { since, endpointId })
  const wait = retryWaitMillis(attempts)
  tx.run(
    "update deliveries set state = :state, next_at_millis = :next where id = :id and state = 'pending'",
    wait === undefined ? { id, state: "failed", next: null } : { id, state: "pending", next: tx.atMillis + wait }
  )
  if (tx.atMillis - since >= maxFailureMillis) disableEndpoint(tx, endpointId)
}

/** Records an attempt and schedules the next one. Nothing is recorded for an endpoint that was removed meanwhile. */
export const recordAttempt = (tx: Transaction, id: string, outcome: Outcome): Result.Result<void> => {
  const row = tx.one<AttemptedRow>(
    `update deliveries set attempts = attempts + 1 where id = :id
     returning endpoint_id, attempts, (
       select failing_since_millis from webhook_endpoints endpoint where endpoint.id = endpoint_id
     ) as failing_since_millis`,
    { id }
  )
  if (row === undefined) return Result.succeed(undefined)
  tx.run(
    `insert into delivery_attempts
     select :id, 1 + count(*), :at, :status, :error from delivery_attempts where delivery_id = :id`,
    {
      id,
      at: tx.at,
      status: "status" in outcome ? outcome.status : null,
      error: "error" in outcome ? outcome.error : null
    }
  )
  if (isAcknowledged(outcome)) acknowledge(tx, id, row.endpoint_id)
  else fail(tx, id, row)
  return Result.succeed(undefined)
}

/** Restarts a delivery with all its attempts. False if it does not exist or its endpoint is disabled. */
export const replay = (tx: Transaction, id: string): boolean =>
  tx.run(
    `update deliveries set state = 'pending', attempts = 0, next_at_millis = :now
     where id = :id and endpoint_id in (select id from webhook_endpoints where disabled_at is null)`,
    { id, now: tx.atMillis }
  ) > 0

/**
 * Returns the headers of Standard Webhooks. All attempts have the event's id. The timestamp is machine time, because
 * the receiver compares it with its own clock. Beyond the spec: section 14, signing.
 */
const signedHeaders = ({ event_number, secret, body }: DueDelivery) => {
  const id = `msg_${String(event_number).padStart(12, "0")}`
  const sentAt = new Date(machineMillis())
  return {
    "webhook-id": id,
    "webhook-timestamp": String(Math.floor(sentAt.getTime() / 1000)),
    "webhook-signature": new Webhook(secret).sign(id, sentAt, body)
  }
}

/** Sends an event once. A redirect is not followed and counts as a failure. */
const sendDelivery = (client: HttpClient.HttpClient, delivery: DueDelivery): Effect.Effect<Outcome> =>
  client
    .execute(
      HttpClientRequest.post(delivery.url).pipe(
        HttpClientRequest.setHeaders(signedHeaders(delivery)),
        HttpClientRequest.bodyText(delivery.body, "application/json")
      )
    )
    .pipe(
      Effect.map(({ status }): Outcome => ({ status })),
      Effect.scoped,
      Effect.provideService(FetchHttpClient.RequestInit, { redirect: "manual" }),
      Effect.timeout(`${answerSeconds} seconds`),
      Effect.catchTag("TimeoutError", () => Effect.succeed({ error: `no answer within ${answerSeconds} seconds` })),
      Effect.catchTag("HttpClientError", () => Effect.succeed({ error: "no connection" })),
      Effect.provideService(Clock.Clock, Clock.Clock.defaultValue())
    )

/** Concurrent attempts, so that a slow endpoint does not delay the others. */
const maxInFlight = 64

/**
 * Sends deliveries when they are due; the first attempt follows the write directly. An attempt interrupted by a kill is
 * repeated, so that events may arrive twice but are never missing. An attempt that cannot be recorded, as on a full
 * disk, is not repeated until it can.
 */
export const deliverEvents = Effect.gen(function* () {
  const { store, write, onWritten } = yield* State
  const { now, register, runDue } = yield* MarketClock
  const client = yield* HttpClient.HttpClient
  const inFlight = new Set<string>()
  const fibers = yield* FiberSet.make()

  const waiting = (count: number) =>
    waitingDeliveries(store, inFlight.size + count).filter(({ id }) => !inFlight.has(id))
  const due = () => {
    const free = maxInFlight - inFlight.size
    return waiting(free)
      .slice(0, free)
      .filter(({ next_at_millis }) => next_at_millis <= now())
  }
  const attempt = (delivery: DueDelivery) => {
    inFlight.add(delivery.id)
    return sendDelivery(client, delivery).pipe(
      Effect.flatMap((outcome) =>
        untilWritten(
          `An attempt to deliver ${delivery.id}`,
          write((tx) => recordAttempt(tx, delivery.id, outcome))
        )
      ),
      Effect.ensuring(Effect.sync(() => inFlight.delete(delivery.id))),
      FiberSet.run(fibers)
    )
  }
  register({
    name: "the delivery of events",
    nextAt: () => (inFlight.size < maxInFlight ? waiting(1)[0]?.next_at_millis : undefined),
    run: Effect.suspend(() => Effect.forEach(due(), attempt, { discard: true })),
    settled: FiberSet.awaitEmpty(fibers)
  })

  const fork = yield* FiberSet.makeRuntime()
  let isWoken = false
  const wake = Effect.suspend(() => {
    isWoken = false
    return runDue
  })
  onWritten(() => {
    if (isWoken) return
    isWoken = true
    fork(wake)
  })
})
