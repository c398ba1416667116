import { Clock, Effect } from "effect"
import { FetchHttpClient, type HttpClient, HttpClientRequest } from "effect/http"
import { Webhook } from "standardwebhooks"
import { machineMillis } from "../state/MarketClock.ts"
import type { DueDelivery, Outcome } from "./deliveries.ts"
import { answerSeconds } from "./retryPlan.ts"

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
export const sendDelivery = (client: HttpClient.HttpClient, delivery: DueDelivery): Effect.Effect<Outcome> =>
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
