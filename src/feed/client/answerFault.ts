import { Option, Schema } from "effect"
import { ErrorEnvelope, Forbidden } from "../contract/Errors.ts"
import {
  AccessForbidden,
  KeyRefused,
  NotFound,
  NotMarketplace,
  RateLimited,
  RequestRefused,
  ServiceFailed,
  type MarketplaceError
} from "./MarketplaceError.ts"
import { requiredWaitMillis, statedLimit, statedWaitMillis } from "./limiter/RateLimit.ts"

export interface AnswerSource {
  readonly request: string
  readonly requestId: string | null
  /** The origin of the service. */
  readonly url: string
}

/** A temporary failure of an attempt. `giveUp` returns the error after the last attempt. */
export interface Passing {
  readonly _tag: "Passing"
  /** The result for waiting callers: `503`, `no answer`. */
  readonly why: string
  /** The wait that the server requires; null if it states none. */
  readonly waitMillis: number | null
  /** Set for a 429, which the shared budget limits and not a number of attempts. */
  readonly limited: { readonly bucket: string; readonly limit: number | null } | null
  readonly giveUp: (attempts: number, waitedMillis: number) => MarketplaceError
}

/** A permanent failure of an attempt. */
export interface Final {
  readonly _tag: "Final"
  readonly error: MarketplaceError
}

export type Fault = Passing | Final

export const passing = (why: string, giveUp: Passing["giveUp"], waitMillis: number | null = null): Passing => ({
  _tag: "Passing",
  why,
  waitMillis,
  limited: null,
  giveUp
})
export const final = (error: MarketplaceError): Final => ({ _tag: "Final", error })

/** The maximum length of an error's code, bucket or id in messages. */
const maxWordLength = 200

/** The maximum length of the marketplace's errors. A longer body is not one. */
const maxErrorTextLength = 64 * 1024

/** Parses the JSON of an error and removes the key from its texts, escaped or not; undefined if it is not JSON. */
const scrubbedJson = (text: string, scrub: (text: string) => string): unknown => {
  if (text.length > maxErrorTextLength) return undefined
  try {
    return JSON.parse(text, (_, value: unknown) => (typeof value === "string" ? scrub(value) : value))
  } catch {
    return undefined
  }
}

const decodeEnvelope = Schema.decodeUnknownOption(
  Schema.Struct({
    code: ErrorEnvelope.fields.code,
    message: Schema.optionalKey(Schema.String),
    data: Schema.optionalKey(ErrorEnvelope.fields.data)
  })
)
const decodeScopes = Schema.decodeUnknownOption(Forbidden.fields.data)

const isPermanentCode = (code: string): boolean =>
  code.endsWith("_NOT_FOUND") || code === "NOT_FOUND" || code === "FEED_NOT_GENERATED"
const isPassingStatus = (status: number): boolean => status === 408 || status === 409 || status >= 500

/**
 * Classifies an answer other than 2xx. The code takes precedence: one that ends in `_NOT_FOUND` is permanent even under
 * a 500. Then 400, 401 and 403, then `x-should-retry`, then the status. Beyond the spec: section 2.
 */
export const answerFault = (
  source: AnswerSource,
  answer: {
    readonly status: number
    readonly headers: Readonly<Record<string, string | undefined>>
    readonly text: string
    readonly nowMillis: number
    readonly scrub: (text: string) => string
  }
): Fault => {
  const { headers, status } = answer
  const { request, requestId } = source
  const envelope = Option.getOrUndefined(decodeEnvelope(scrubbedJson(answer.text, answer.scrub)))
  const code = envelope?.code.slice(0, maxWordLength) ?? `HTTP_${status}`
  const data = envelope?.data ?? {}
  if (status === 429) return limitFault(source, data, requiredWaitMillis(headers, answer.nowMillis))
  if (isPermanentCode(code)) return final(new NotFound({ request, requestId, code, id: namedId(data) }))
  if (status === 401) return final(new KeyRefused({ request, requestId }))
  if (status === 403 && envelope !== undefined) {
    const scopes = Option.getOrElse(decodeScopes(data), () => ({ required: [], granted: [] }))
    return final(new AccessForbidden({ request, requestId, code, ...scopes }))
  }
  const failed = (attempts: number) => new ServiceFailed({ request, requestId, status, code, attempts })
  const shouldRetry = headers["x-should-retry"]
  if (shouldRetry !== "true" && (shouldRetry === "false" || !isPassingStatus(status))) {
    if (status >= 500 || status === 408 || status === 409) return final(failed(1))
    return envelope === undefined
      ? final(new NotMarketplace({ ...source, what: unexpectedAnswer(status), remedy: "address", attempts: 1 }))
      : final(
          new RequestRefused({
            request,
            requestId,
            status,
            code,
            detail: (envelope.message ?? "no reason given").slice(0, 300)
          })
        )
  }
  return passing(String(status), failed, requiredWaitMillis(headers, answer.nowMillis))
}

const limitFault = (
  source: AnswerSource,
  data: Readonly<Record<string, unknown>>,
  headerMillis: number | null
): Passing => {
  const bucket = typeof data["bucket"] === "string" ? data["bucket"].slice(0, maxWordLength) : "unknown"
  const limit = statedLimit(data["limit"])
  const waitMillis = headerMillis ?? statedWaitMillis(data["retryAfter"], 1000)
  return {
    _tag: "Passing",
    why: "429",
    waitMillis,
    limited: { bucket, limit },
    giveUp: (_, waitedMillis) =>
      new RateLimited({
        request: source.request,
        requestId: source.requestId,
        bucket,
        limit,
        waitedMillis,
        requiredMillis: waitMillis
      })
  }
}

const namedId = (data: Readonly<Record<string, unknown>>): string | null => {
  const id = data["gameId"] ?? data["productId"] ?? data["expansionId"]
  return typeof id === "string" || typeof id === "number" ? String(id).slice(0, maxWordLength) : null
}

const unexpectedAnswer = (status: number): string =>
  status >= 300 && status < 400
    ? `it redirects elsewhere (${status})`
    : `it answers ${status} without the marketplace's error body`
