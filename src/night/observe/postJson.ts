import { Duration, Effect, Layer, Redacted, Schedule } from "effect"
import { HttpClient, HttpClientError, HttpClientRequest } from "effect/http"
import { Fault } from "../../feed/contract/Fault.ts"
import { SettingInvalid } from "../../feed/contract/SettingInvalid.ts"
import { maxReceiptBytes, webClient } from "../../feed/client/webClient.ts"
import type { NightOutcome } from "./NightOutcome.ts"
import { nightWarning } from "./Observation.ts"

const maxAttempt = Duration.seconds(3)

interface PostOptions {
  readonly token: Redacted.Redacted | null
  readonly retries: number
  readonly allAtMost: Duration.Duration
}

/** Describes a failed request. `within` is its time limit. A message may quote the address: `isSecret` leaves it out. */
export const causeText = (error: unknown, within: string, isSecret: boolean): string => {
  if (error instanceof SettingInvalid) return error.message
  if (!HttpClientError.isHttpClientError(error)) return `no answer within ${within}`
  if (error.response !== undefined && error.reason._tag === "StatusCodeError")
    return `it answered ${error.response.status}`
  const { cause } = error.reason
  if (!(cause instanceof Error)) return "no connection"
  if (!isSecret && cause.message !== "") return cause.message.slice(0, 200)
  return "code" in cause ? String(cause.code) : "no connection"
}

/** POSTs JSON, with an optional bearer token. Retries until `allAtMost`. Never traces or logs the address. */
export const postJson = Effect.fnUntraced(
  function* (address: Redacted.Redacted, body: unknown, { allAtMost, retries, token }: PostOptions) {
    const client = (yield* HttpClient.HttpClient).pipe(
      HttpClient.filterStatusOk,
      HttpClient.transformResponse(Effect.timeout(maxAttempt)),
      HttpClient.retryTransient({ schedule: Schedule.exponential("500 millis"), times: retries })
    )
    const request = HttpClientRequest.post(Redacted.value(address)).pipe(HttpClientRequest.bodyJsonUnsafe(body))
    const authorized = token === null ? request : HttpClientRequest.bearerToken(request, token)
    yield* client.execute(authorized).pipe(Effect.timeout(allAtMost), Effect.scoped)
  },
  (effect, address) =>
    Layer.build(webClient(maxReceiptBytes)).pipe(
      Effect.flatMap((services) => Effect.provideContext(effect, services)),
      Effect.scoped,
      Effect.withTracerEnabled(false),
      Effect.mapError(
        (error) =>
          new Fault(
            "NotReceived",
            `${new URL(Redacted.value(address)).origin} (${causeText(error, Duration.format(maxAttempt), true)})`
          )
      )
    )
)

/** POSTs the report as JSON. A failure is a warning with only the origin, and never fails the night. */
export const postReport = (address: Redacted.Redacted, { report }: NightOutcome) =>
  postJson(address, report, { token: null, retries: 4, allAtMost: Duration.seconds(10) }).pipe(
    Effect.catch(({ message }) =>
      nightWarning("notify", `The report did not reach ${message}. The night itself is complete`)
    )
  )
