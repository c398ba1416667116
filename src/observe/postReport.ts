import { Duration, Effect, Layer, Redacted, Schedule } from "effect"
import { HttpClient, HttpClientError, HttpClientRequest } from "effect/http"
import { SettingInvalid } from "../client/MarketplaceError.ts"
import { largestReceiptBytes, webClient } from "../client/webClient.ts"
import type { NightOutcome } from "./NightOutcome.ts"
import { nightWarning } from "./nightEvent.ts"

/** One attempt, and all of them together. */
const attemptAtMost = Duration.seconds(3)
const allAtMost = Duration.seconds(10)

/** Without the request: its path may be a secret. */
const causeText = (error: unknown): string => {
  if (error instanceof SettingInvalid) return error.message
  if (!HttpClientError.isHttpClientError(error)) return `no answer within ${Duration.format(attemptAtMost)}`
  if (error.response !== undefined) return `it answered ${error.response.status}`
  const { cause } = error.reason
  return cause instanceof Error && "code" in cause ? String(cause.code) : "no connection"
}

/**
 * POSTs the report as JSON. Repeated while the fault tends to pass, for ten seconds in all; then a warning that names
 * the origin only, as the path of a webhook is often its secret. Never fails, and leaves no trace of the address.
 */
export const postReport = Effect.fnUntraced(
  function* (address: Redacted.Redacted, { report }: NightOutcome) {
    const client = (yield* HttpClient.HttpClient).pipe(
      HttpClient.filterStatusOk,
      HttpClient.transformResponse(Effect.timeout(attemptAtMost)),
      HttpClient.retryTransient({ schedule: Schedule.exponential("500 millis"), times: 4 })
    )
    const request = HttpClientRequest.post(Redacted.value(address)).pipe(HttpClientRequest.bodyJsonUnsafe(report))
    yield* client.execute(request).pipe(Effect.timeout(allAtMost), Effect.scoped)
  },
  (effect, address) =>
    Layer.build(webClient(largestReceiptBytes)).pipe(
      Effect.flatMap((services) => Effect.provideContext(effect, services)),
      Effect.scoped,
      Effect.withTracerEnabled(false),
      Effect.catch((error) =>
        nightWarning(
          "notify",
          `The report did not reach ${new URL(Redacted.value(address)).origin} (${causeText(error)}). The night itself is done`
        )
      )
    )
)
