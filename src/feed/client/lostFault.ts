import { connect } from "node:tls"
import { Effect } from "effect"
import type { HttpClientError } from "effect/http"
import { NotMarketplace, PageBroken, Unreachable } from "./MarketplaceError.ts"
import { tooLarge } from "./RawBody.ts"
import { final, passing, type Fault, type AnswerSource } from "./answerFault.ts"

/** The I/O failure behind an error, without its objects: they contain the request, and with it the key. */
const failureOf = (error: HttpClientError.HttpClientError): { readonly code: string; readonly text: string } => {
  const { cause } = error.reason
  const inner = cause instanceof AggregateError && cause.errors[0] instanceof Error ? cause.errors[0] : cause
  if (!(inner instanceof Error)) return { code: "", text: "no connection" }
  const code = "code" in inner ? String(inner.code) : inner.name
  if (code !== "UND_ERR_INVALID_ARG") return { code, text: inner.message === "" ? code : inner.message }
  // Other texts of this kind show the header that is wrong.
  return { code, text: inner.message.includes("(407)") ? "the proxy asks for a user and a password, 407" : code }
}

/** A TLS handshake that a server without TLS answers, and a plain request that a server with TLS cuts off. */
const plainAnswered = /^(EPROTO|ERR_SSL_)/
const cutOff = /^(UND_ERR_SOCKET|ECONNRESET|EPIPE|HPE_)/

/** Whether a port completes a TLS handshake within a second; nothing is sent. */
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

/** What is wrong with the address's scheme, if that is why there was no answer. */
const wrongScheme = Effect.fnUntraced(function* (url: URL, { code, text }: ReturnType<typeof failureOf>) {
  if (url.protocol === "https:" && plainAnswered.test(code) && /wrong version number|packet length/i.test(text)) {
    return "it speaks plain HTTP at this port; use http:// instead of https://"
  }
  if (url.protocol === "http:" && cutOff.test(code) && (yield* speaksTls(url))) {
    return "it speaks TLS at this port; use https:// instead of http://"
  }
  return null
})

/** What it means if no complete answer came. `scrub` gets the text before it is shortened. */
export const lostFault = Effect.fnUntraced(function* (
  source: AnswerSource,
  error: HttpClientError.HttpClientError,
  scrub: (text: string) => string
): Effect.fn.Return<Fault> {
  const failure = failureOf(error)
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
