import { Effect, FiberSet, Clock } from "effect"
import { HttpClient, FetchHttpClient, HttpClientRequest } from "effect/http"
import { MarketClock, machineMillis } from "../state/MarketClock.ts"
import { State, untilWritten } from "../state/State.ts"
import { type DueDelivery, recordAttempt, waitingDeliveries, type Outcome, answerSeconds } from "./deliveries.ts"
import { Webhook } from "standardwebhooks"

/**
 * The headers of Standard Webhooks. The id is that of the event in all its attempts. The timestamp is the
 * machine's, because the receiver compares it with a clock of its own. Beyond the spec: section 14, signing.
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

/** Sends an event once. A redirect is not followed: it is not an acknowledgement. */
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

/** Concurrent attempts, so that a slow endpoint does not hold up the others. */
const maxInFlight = 64

/**
 * Sends deliveries when they are due, the first attempt right after the write that it reports.
 * An attempt that a killed process left is repeated, so an event can arrive twice, but never gets lost.
 * One that cannot be recorded, as on a full disk, is not repeated before it is.
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
