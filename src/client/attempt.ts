import { Clock, Effect, Result } from "effect"
import { HttpClientError } from "effect/http"
import type { HttpClientResponse } from "effect/http"
import type { HttpApiMiddleware } from "effect/http-api"
import type { Authorization } from "../contract/Authorization.ts"
import { NotMarketplace, PageBroken } from "./MarketplaceError.ts"
import type { RateBudget } from "./RateBudget.ts"
import type { RateLimit } from "./RateLimit.ts"
import { parseBody, unpackBody } from "./RawBody.ts"
import type { RawBody } from "./RawBody.ts"
import { RetryPolicy } from "./RetryPolicy.ts"
import { answerFault, passing } from "./answerFault.ts"
import type { Fault } from "./answerFault.ts"
import { lostFault, noAnswer } from "./lostFault.ts"
import { statedLimit, statedRemaining } from "./statedFigures.ts"
import { scrubbedBody } from "./scrubbedBody.ts"

/** The derived client also names the errors of the key's middleware. Raw responses are asked for, so none is raised. */
type SendError = HttpClientError.HttpClientError | HttpApiMiddleware.Error<Authorization>

/** A call before it is sent: how messages and ledgers name it, and what its JSON must be. */
export interface Call<A> {
  /** What rate buckets tell apart: `products`, `changelog`. */
  readonly operation: string
  /** The game it is about; null for what is about none. */
  readonly game: string | null
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
  /** What stands before the paths of all its requests; mostly nothing. */
  readonly prefix: string
  readonly budget: RateBudget
  readonly key: string
  /** Takes the key out of a text: a server may repeat it. */
  readonly scrub: (text: string) => string
  /** A page repeats the key. */
  readonly onRepeated: (request: string) => Effect.Effect<void>
}

/**
 * Sends a call once and reads its answer whole, within the time-out. A failure is a value that says whether it tends to
 * pass; it holds texts only, so the key cannot leave with it.
 */
export const attempt = Effect.fnUntraced(function* <A>(
  service: Service,
  call: Call<A>
): Effect.fn.Return<Result.Result<{ readonly body: RawBody; readonly value: A }, Fault>> {
  const { budget, scrub, url } = service
  // As it was asked. A ledger has it without the prefix: what was read goes on when the service has moved.
  const request = call.request.replace(" ", ` ${service.prefix}`)
  const { longestRateWaitMillis, minuteMillis, timeoutMillis } = yield* RetryPolicy
  const clock = yield* Clock.Clock
  const sentMillis = clock.currentTimeMillisUnsafe()
  const moment = () => ({ sentMillis, nowMillis: clock.currentTimeMillisUnsafe(), minuteMillis })
  const answered = yield* call.send.pipe(
    Effect.flatMap((response) => Effect.map(response.arrayBuffer, (buffer) => ({ response, buffer }))),
    Effect.timeoutOrElse({
      duration: timeoutMillis,
      orElse: () => Effect.succeed(noAnswer({ request, requestId: null, url }, late(timeoutMillis)))
    }),
    Effect.catch((error) =>
      HttpClientError.isHttpClientError(error)
        ? lostFault({ request, requestId: null, url }, error, scrub)
        : Effect.die(error)
    )
  )
  if ("_tag" in answered) {
    yield* budget.ended(call, moment(), true)
    return Result.fail(answered)
  }

  const { headers, status } = answered.response
  const requestId = headers["x-request-id"] === undefined ? null : scrub(headers["x-request-id"]).slice(0, 200)
  const place = { request, requestId, url }
  const seen = limitOf(headers)
  if (seen !== null && status !== 429) budget.learn(call, seen, moment())
  yield* budget.ended(call, moment(), status === 429 || status === 503)
  const bytes = new Uint8Array(answered.buffer)
  const unpacked = yield* Effect.result(unpackBody(bytes, headers["content-encoding"]))
  if (status < 200 || status > 299) {
    const text = Result.isSuccess(unpacked) ? unpacked.success.text : ""
    const { nowMillis } = moment()
    const fault = answerFault(place, { status, headers, text, nowMillis, scrub })
    // A wait that nobody is going to wait is not taught to the others.
    if (fault._tag === "Passing" && fault.limited !== null && (fault.waitMillis ?? 0) <= longestRateWaitMillis) {
      const limited = { ...fault.limited, limit: fault.limited.limit ?? seen?.limit ?? null, remaining: 0 }
      budget.refuse(call, { ...limited, waitMillis: fault.waitMillis ?? 0 }, moment())
    }
    return Result.fail(fault)
  }

  const broken = (what: string) =>
    Result.fail(passing("broken page", (attempts) => new PageBroken({ request, requestId, what, attempts })))
  const foreign = (what: string) =>
    Result.fail(passing("foreign answer", (attempts) => new NotMarketplace({ ...place, what, attempts })))
  if (Result.isFailure(unpacked)) return broken(unpacked.failure)
  const body = yield* scrubbedBody(service, { request: call.request, requestId, bytes, ...unpacked.success })
  if (/^\uFEFF?\s*</.test(body.text)) return foreign("it answers HTML")
  const json = parseBody(body.text)
  if (Result.isFailure(json)) return broken(json.failure)
  const value = call.read(json.success)
  if (Result.isFailure(value)) {
    return typeof value.failure === "string" ? broken(value.failure) : foreign(value.failure.what)
  }
  return Result.succeed({ body, value: value.success })
})

const late = (millis: number): string => `no whole answer within ${millis / 1000} s`

const limitOf = (headers: Readonly<Record<string, string | undefined>>): RateLimit | null => {
  const limit = statedLimit(headers["x-ratelimit-limit"])
  if (limit === null) return null
  return { bucket: "global", limit, remaining: statedRemaining(headers["x-ratelimit-remaining"], limit) }
}
