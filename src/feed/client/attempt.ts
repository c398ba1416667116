import { Clock, Effect, Result, Stream } from "effect"
import { HttpClientError, type HttpClientResponse } from "effect/http"
import type { HttpApiMiddleware } from "effect/http-api"
import type { Authorization } from "../contract/Authorization.ts"
import { NotMarketplace, PageBroken, PageUnread, Unreachable } from "./MarketplaceError.ts"
import type { OpenFault } from "./OpenFault.ts"
import { type RateLimit, statedLimit, statedRemaining } from "./limiter/RateLimit.ts"
import type { RateLimiter } from "./limiter/RateLimiter.ts"
import { CallContext } from "./CallContext.ts"
import { type Answer, unpack, usualBodyBytes, tooLarge } from "./RawBody.ts"
import { RetryPolicy } from "./RetryPolicy.ts"
import { answerFault, passing, type Fault, final, type AnswerSource } from "./answerFault.ts"
import type { Secret } from "./scrub.ts"
import { connect } from "node:tls"

/** The type includes errors of the key's middleware. Raw responses are requested, so none of them is raised. */
type SendError = HttpClientError.HttpClientError | HttpApiMiddleware.Error<Authorization>

/** An unsent call, with its name in messages and ledgers and the parser of its JSON. */
export interface Call<A> {
  /** The operation, by which rate buckets are separated: `products`, `changelog`. */
  readonly operation: string
  readonly game: string | null
  readonly request: string
  readonly send: Effect.Effect<HttpClientResponse.HttpClientResponse, SendError>
  /** Reads an answer that is not an error. */
  readonly open: (answer: Answer) => Effect.Effect<A, OpenFault>
}

export interface Service extends Secret {
  readonly url: string
  /** The prefix of all its request paths; usually empty. */
  readonly prefix: string
  readonly limiter: RateLimiter
}

/** Reads the complete body. A large one waits for the lock before the rest is read: sixteen may arrive together. */
const readBody = Effect.fnUntraced(function* (response: HttpClientResponse.HttpClientResponse) {
  if (Number(response.headers["content-length"] ?? Infinity) <= usualBodyBytes) {
    return new Uint8Array(yield* response.arrayBuffer)
  }
  const { takeMemory } = yield* CallContext
  const pieces: Array<Uint8Array> = []
  let size = 0
  yield* Stream.runForEach(response.stream, (piece) => {
    pieces.push(piece)
    size += piece.length
    return size > usualBodyBytes ? takeMemory : Effect.void
  })
  if (size <= usualBodyBytes) return Buffer.concat(pieces)
  // The buffer is shared, so a large page is not copied for the thread that parses it.
  const whole = new Uint8Array(new SharedArrayBuffer(size))
  let at = 0
  for (const piece of pieces.splice(0)) {
    whole.set(piece, at)
    at += piece.length
  }
  return whole
})

/**
 * Sends a call once and reads its complete answer, within the time-out. A failure is a value that says whether it is
 * temporary. It contains only texts, so the key cannot leak with it.
 */
export const attempt = Effect.fnUntraced(function* <A>(
  service: Service,
  call: Call<A>
): Effect.fn.Return<Result.Result<A, Fault>> {
  const { limiter, scrub, url } = service
  // The request as sent. A ledger omits the prefix, so that a reading can continue after the service has moved.
  const request = call.request.replace(" ", ` ${service.prefix}`)
  const { maxRateWaitMillis, timeoutMillis } = yield* RetryPolicy
  const sentMillis = yield* limiter.nowMillis
  const { sent } = yield* CallContext
  const answered = yield* sent(call.send).pipe(
    Effect.flatMap((response) => Effect.map(readBody(response), (bytes) => ({ response, bytes }))),
    Effect.timeoutOrElse({
      duration: timeoutMillis,
      orElse: () =>
        Effect.succeed(noAnswer({ request, requestId: null, url }, `no whole answer within ${timeoutMillis / 1000} s`))
    }),
    Effect.catch((error) =>
      HttpClientError.isHttpClientError(error)
        ? connectionFault({ request, requestId: null, url }, error, scrub)
        : Effect.die(error)
    )
  )
  if ("_tag" in answered) {
    yield* limiter.ended(call, { sentMillis, status: null, seen: null, refusal: null })
    return Result.fail(answered)
  }

  const { bytes } = answered
  const { headers, status } = answered.response
  const encoding = headers["content-encoding"]
  const requestId = headers["x-request-id"] === undefined ? null : scrub(headers["x-request-id"]).slice(0, 200)
  const source = { request, requestId, url }
  const seen = readLimit(headers)
  if (status < 200 || status > 299) {
    // No error is larger than a usual page.
    const text = Result.getOrNull(unpack(bytes, encoding, false))?.text ?? ""
    const fault = answerFault(source, { status, headers, text, nowMillis: yield* Clock.currentTimeMillis, scrub })
    // A wait above the maximum ends the request, so it must not slow down the others.
    const isRefusal = fault._tag === "Passing" && fault.limited !== null && (fault.waitMillis ?? 0) <= maxRateWaitMillis
    const refusal = isRefusal
      ? {
          bucket: fault.limited.bucket,
          limit: fault.limited.limit ?? seen?.limit ?? null,
          waitMillis: fault.waitMillis ?? 0
        }
      : null
    yield* limiter.ended(call, { sentMillis, status, seen, refusal })
    return Result.fail(fault)
  }

  yield* limiter.ended(call, { sentMillis, status, seen, refusal: null })
  const opened = yield* Effect.result(call.open({ request: call.request, requestId, bytes, encoding }))
  if (Result.isSuccess(opened)) return Result.succeed(opened.success)
  return Result.fail(unopened(opened.failure, source))
})

const unopened = (failure: OpenFault, source: AnswerSource): Fault => {
  const { request, requestId } = source
  if (typeof failure === "string") {
    return passing("broken page", (attempts) => new PageBroken({ request, requestId, what: failure, attempts }))
  }
  if (failure._tag === "foreign") {
    const { remedy, what } = failure
    return passing("foreign answer", (attempts) => new NotMarketplace({ ...source, what, remedy, attempts }))
  }
  return { _tag: "Final", error: new PageUnread({ request, requestId, cause: failure.cause }) }
}

const readLimit = (headers: Readonly<Record<string, string | undefined>>): RateLimit | null => {
  const limit = statedLimit(headers["x-ratelimit-limit"])
  if (limit === null) return null
  return { bucket: "global", limit, remaining: statedRemaining(headers["x-ratelimit-remaining"], limit) }
}

/** Returns the I/O failure behind an error, without its objects, because they contain the request with the key. */
const describeFailure = (error: HttpClientError.HttpClientError): { readonly code: string; readonly text: string } => {
  const { cause } = error.reason
  const inner = cause instanceof AggregateError && cause.errors[0] instanceof Error ? cause.errors[0] : cause
  if (!(inner instanceof Error)) return { code: "", text: "no connection" }
  const code = "code" in inner ? String(inner.code) : inner.name
  if (code !== "UND_ERR_INVALID_ARG") return { code, text: inner.message === "" ? code : inner.message }
  // Other texts of this kind contain the invalid header.
  return { code, text: inner.message.includes("(407)") ? "the proxy asks for a user and a password, 407" : code }
}

/** Errors of a TLS handshake with a plain server, and of a plain request to a TLS server. */
const plainAnswered = /^(EPROTO|ERR_SSL_)/
const cutOff = /^(UND_ERR_SOCKET|ECONNRESET|EPIPE|HPE_)/

/** True if a port completes a TLS handshake within a second. No data is sent. */
const speaksTls = (url: URL): Effect.Effect<boolean> =>
  Effect.callback<boolean>((resume) => {
    const host = url.hostname.replace(/^\[(.+)\]$/, "$1")
    const socket = connect({ host, port: Number(url.port || 80), rejectUnauthorized: false })
    const end = (speaks: boolean) => {
      socket.destroy()
      resume(Effect.succeed(speaks))
    }
    socket.once("secureConnect", () => end(true))
    socket.on("error", () => end(false))
    socket.once("close", () => end(false))
    return Effect.sync(() => socket.destroy())
  }).pipe(Effect.timeoutOrElse({ duration: 1000, orElse: () => Effect.succeed(false) }))

/** Returns the fault of the address's scheme, if that is the reason for the missing answer. */
const wrongScheme = Effect.fnUntraced(function* (url: URL, { code, text }: ReturnType<typeof describeFailure>) {
  if (url.protocol === "https:" && plainAnswered.test(code) && /wrong version number|packet length/i.test(text)) {
    return "it speaks plain HTTP at this port; use http:// instead of https://"
  }
  if (url.protocol === "http:" && cutOff.test(code) && (yield* speaksTls(url))) {
    return "it speaks TLS at this port; use https:// instead of http://"
  }
  return null
})

/** Classifies a missing or incomplete answer. `scrub` gets the text before it is shortened. */
export const connectionFault = Effect.fnUntraced(function* (
  source: AnswerSource,
  error: HttpClientError.HttpClientError,
  scrub: (text: string) => string
): Effect.fn.Return<Fault> {
  const failure = describeFailure(error)
  if (failure.code === "UND_ERR_RES_EXCEEDED_MAX_SIZE") {
    const { request, requestId } = source
    return passing("broken page", (attempts) => new PageBroken({ request, requestId, what: tooLarge, attempts }))
  }
  const what = yield* wrongScheme(new URL(source.url), failure)
  if (what !== null) return final(new NotMarketplace({ ...source, what, remedy: "address", attempts: 1 }))
  return noAnswer(source, scrub(failure.text).slice(0, 200))
})

export const noAnswer = (source: AnswerSource, cause: string): Fault =>
  passing("no answer", (attempts) => new Unreachable({ ...source, cause, attempts }))
