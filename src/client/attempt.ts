import { Clock, Effect, Result } from "effect"
import { HttpClientError } from "effect/http"
import type { HttpClientResponse } from "effect/http"
import type { TooManyRequests, Unauthorized } from "../contract/Errors.ts"
import { NotMarketplace, PageBroken, Unreachable } from "./MarketplaceError.ts"
import type { RateBudget, RateLimit } from "./RateBudget.ts"
import { parseBody, unpackBody } from "./RawBody.ts"
import type { RawBody } from "./RawBody.ts"
import { RetryPolicy } from "./RetryPolicy.ts"
import { answerFault, passing } from "./answerFault.ts"
import type { Fault } from "./answerFault.ts"

/** The derived client names the errors of the key's middleware too; as raw responses are asked for, none is ever raised. */
type SendError = HttpClientError.HttpClientError | Unauthorized | TooManyRequests

/** A call before it is sent: how messages and ledgers name it, and what its JSON must be. */
export interface Call<A> {
  /** What rate buckets tell apart: `products`, `changelog`. */
  readonly operation: string
  /** Method, path, query and body. */
  readonly request: string
  readonly send: Effect.Effect<HttpClientResponse.HttpClientResponse, SendError>
  /** The JSON as the expected envelope, or what is wrong with it. */
  readonly read: (json: unknown) => Result.Result<A, Foreign | string>
}

/** JSON of another kind than the marketplace's. A plain text instead means: the right kind, but broken. */
export class Foreign {
  readonly what: string
  constructor(what: string) {
    this.what = what
  }
}

/** The service that is called. */
export interface Service {
  /** Its origin, for messages. */
  readonly url: string
  readonly budget: RateBudget
  /** Takes the key out of a text: a server may repeat it in an error. */
  readonly scrub: (text: string) => string
}

/** The text of an I/O failure without its objects: those hold the request and with it the key. */
const causeText = (error: HttpClientError.HttpClientError): string => {
  const { cause } = error.reason
  const inner = cause instanceof AggregateError && cause.errors[0] instanceof Error ? cause.errors[0] : cause
  if (!(inner instanceof Error)) return "no connection"
  const code = "code" in inner ? String(inner.code) : inner.name
  return inner.message === "" || code === "UND_ERR_INVALID_ARG" ? code : inner.message.slice(0, 200)
}

/**
 * Sends a call once and reads its answer whole, within the time-out. A failure is a value that says whether it tends to
 * pass; it holds texts only, so the key cannot leave with it.
 */
export const attempt = Effect.fnUntraced(function* <A>(
  { budget, scrub, url }: Service,
  call: Call<A>
): Effect.fn.Return<Result.Result<{ readonly body: RawBody; readonly value: A }, Fault>> {
  const { operation, request } = call
  const { minuteMillis, timeoutMillis } = yield* RetryPolicy
  const clock = yield* Clock.Clock
  const sentMillis = clock.currentTimeMillisUnsafe()
  const moment = () => ({ sentMillis, nowMillis: clock.currentTimeMillisUnsafe(), minuteMillis })
  const lost = (cause: string, requestId: string | null = null) =>
    Result.fail(passing((attempts) => new Unreachable({ request, requestId, url, cause, attempts })))
  const answered = yield* call.send.pipe(
    Effect.flatMap((response) => Effect.map(response.arrayBuffer, (buffer) => ({ response, buffer }))),
    Effect.timeoutOrElse({
      duration: timeoutMillis,
      orElse: () => Effect.succeed(`no whole answer within ${timeoutMillis / 1000} s`)
    }),
    Effect.catch((error) =>
      HttpClientError.isHttpClientError(error) ? Effect.succeed(causeText(error)) : Effect.die(error)
    )
  )
  if (typeof answered === "string") {
    yield* budget.ended(operation, moment(), true)
    return lost(scrub(answered))
  }

  const { headers, status } = answered.response
  const requestId = headers["x-request-id"] === undefined ? null : scrub(headers["x-request-id"])
  const place = { request, requestId, url }
  const seen = statedLimit(headers)
  if (seen !== null && status !== 429) budget.learn(operation, seen, moment())
  yield* budget.ended(operation, moment(), status === 429 || status === 503)
  const bytes = new Uint8Array(answered.buffer)
  const unpacked = yield* Effect.result(unpackBody(bytes, headers["content-encoding"]))
  if (status < 200 || status > 299) {
    const text = Result.isSuccess(unpacked) ? scrub(unpacked.success.text) : ""
    const { nowMillis } = moment()
    const fault = answerFault(place, { status, headers, text, nowMillis })
    if (fault._tag === "Passing" && fault.limited !== null) {
      const limited = { ...fault.limited, limit: fault.limited.limit ?? seen?.limit ?? null, remaining: 0 }
      budget.refuse(operation, limited, fault.waitMillis ?? 0, moment())
    }
    return Result.fail(fault)
  }

  const broken = (what: string) =>
    Result.fail(passing((attempts) => new PageBroken({ request, requestId, what, attempts })))
  const foreign = (what: string) => Result.fail(passing((attempts) => new NotMarketplace({ ...place, what, attempts })))
  if (Result.isFailure(unpacked)) return broken(unpacked.failure)
  const { text } = unpacked.success
  if (/^\uFEFF?\s*</.test(text)) return foreign("it answers HTML")
  const json = parseBody(text)
  if (Result.isFailure(json)) return broken(json.failure)
  const value = call.read(json.success)
  if (Result.isFailure(value)) {
    return typeof value.failure === "string" ? broken(value.failure) : foreign(value.failure.what)
  }
  return Result.succeed({ body: { request, requestId, bytes, ...unpacked.success }, value: value.success })
})

const statedLimit = (headers: Readonly<Record<string, string | undefined>>): RateLimit | null => {
  const limit = Number(headers["x-ratelimit-limit"])
  const remaining = Number(headers["x-ratelimit-remaining"])
  if (headers["x-ratelimit-limit"] === undefined || Number.isNaN(limit)) return null
  return { bucket: "global", limit, remaining: Number.isNaN(remaining) ? null : remaining }
}
