import { NodeHttpServerRequest } from "@effect/platform-node"
import { Effect, Stream } from "effect"
import { HttpServerResponse } from "effect/http"
import type { ServerResponse } from "node:http"
import type { DrawnFault } from "./Faults.ts"
import { type Answer, type Incoming, wireBytes, readText, withText, withWireBytes } from "../answers/wire.ts"
import type { FaultRule } from "./FaultPlan.ts"
import { envelopeAnswer } from "../answers/answerRules.ts"
import type { FaultRequest } from "./readFaultRequest.ts"
import { pick } from "../catalogue/seededNumber.ts"

/** Returns the raw HTTP/1.1 response, because a complete answer cannot express a cut. */
const rawResponse = (request: Incoming) => NodeHttpServerRequest.toServerResponse(request) as ServerResponse

/** Destroys the response, so that nothing more is written. */
const cut = (response: ServerResponse): Answer => {
  response.socket?.resetAndDestroy()
  response.destroy()
  return HttpServerResponse.empty()
}

/** Resets the connection instead of answering. */
export const resetBefore = (request: Incoming): Effect.Effect<Answer> => Effect.sync(() => cut(rawResponse(request)))

/** Sends the head and a part of the body, then resets the connection. */
export const resetInBody = (request: Incoming, answer: Answer, draw: DrawnFault["draw"]): Effect.Effect<Answer> =>
  Effect.callback((resume) => {
    const response = rawResponse(request)
    const bytes = wireBytes(answer)
    response.writeHead(answer.status, { ...answer.headers, "content-length": String(bytes.byteLength) })
    response.write(bytes.subarray(0, Math.floor(bytes.byteLength * draw("cut"))), () =>
      resume(Effect.sync(() => cut(response)))
    )
  })

/** Sends the complete answer slowly. */
export const drip = (answer: Answer, pieceBytes: number, millis: number): Answer => {
  const bytes = wireBytes(answer)
  const starts = Array.from({ length: Math.ceil(bytes.byteLength / pieceBytes) }, (_, at) => at * pieceBytes)
  const pieces = Stream.fromIterable(starts).pipe(
    Stream.rechunk(1),
    Stream.mapEffect((start) => Effect.as(Effect.sleep(millis), bytes.subarray(start, start + pieceBytes)))
  )
  const { "content-length": _, ...headers } = answer.headers
  return HttpServerResponse.stream(pieces, {
    status: answer.status,
    headers,
    contentType: answer.headers["content-type"] ?? "application/json"
  })
}

const page = "<!doctype html><html><head><title>Just a moment</title></head><body>We will be right back.</body></html>"

/** A proxy's error page with status 200. */
export const htmlPage = (answer: Answer): Answer => {
  const { "content-encoding": _, ...headers } = answer.headers
  return HttpServerResponse.text(page, { headers, contentType: "text/html; charset=utf-8" })
}

/** 200 without a body. */
export const emptyBody = (answer: Answer): Answer => withWireBytes(answer, new Uint8Array())

/** A truncated body that claims to be complete. */
export const truncatedBody = (answer: Answer, draw: DrawnFault["draw"]): Answer => {
  const bytes = wireBytes(answer)
  return withWireBytes(answer, bytes.subarray(0, Math.max(1, Math.floor(bytes.byteLength * draw("cut")))))
}

/** Bytes with a gzip header and invalid content. */
export const invalidGzip = (answer: Answer, draw: DrawnFault["draw"]): Answer => {
  const noise = Buffer.from(Array.from({ length: 64 }, (_, at) => Math.floor(draw(`noise ${at}`) * 256)))
  const bytes = Buffer.concat([Buffer.from([0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 3]), noise])
  return HttpServerResponse.setHeader(withWireBytes(answer, bytes), "content-encoding", "gzip")
}

/** A complete body, compressed as requested, that ends with `,]` instead of its last bracket. */
export const invalidJson = (answer: Answer): Answer => withText(answer, `${readText(answer).slice(0, -1)},]`)

/** The response of object storage to an expired link. */
export const deadLink = HttpServerResponse.text(
  '<?xml version="1.0" encoding="UTF-8"?>\n<Error><Code>AccessDenied</Code><Message>Request has expired</Message></Error>',
  { status: 403, contentType: "application/xml" }
)

/** An unchanged file with a header that claims gzip transfer encoding. */
export const declaredGzip = (answer: Answer): Answer => HttpServerResponse.setHeader(answer, "content-encoding", "gzip")

/** Returns an injected answer with the headers that every answer has: the request id and the rate limit. */
const injected = (clean: Answer, answer: Answer): Answer =>
  HttpServerResponse.setHeaders(
    answer,
    Object.fromEntries(Object.entries(clean.headers).filter(([name]) => /^x-(request-id|ratelimit-)/.test(name)))
  )

export const feedNotGenerated = (clean: Answer, gameId: string | undefined): Answer =>
  injected(
    clean,
    envelopeAnswer(500, {
      code: "FEED_NOT_GENERATED",
      message: "The feeds of this game were never built",
      data: gameId === undefined ? {} : { gameId }
    })
  )

type File = Readonly<Record<string, unknown>> | null

/** Changes one value about every feed file. Undefined if the answer is not about the files of a game. */
export const changeFileMetadata = (answer: Answer, rule: FaultRule): Answer | undefined => {
  const files = JSON.parse(readText(answer)) as Readonly<Record<string, File>>
  if (!("catalog" in files)) return undefined
  const changed = (file: File): File => {
    if (file === null) return null
    if (rule.kind === "wrong-checksum") return { ...file, checksum: "0".repeat(64) }
    return rule.kind === "wrong-count" ? { ...file, recordCount: Number(file["recordCount"]) + (rule.by ?? 1) } : file
  }
  const all = Object.fromEntries(Object.entries(files).map(([type, file]) => [type, changed(file)]))
  return withText(answer, JSON.stringify(rule.kind === "null-feed" ? { ...all, prices: null } : all))
}

/** A list whose first record has another key at its start; undefined for other answers. */
export const pageWithKey = (answer: Answer, { key = "sandboxKey" }: Rule<"unknown-key">): Answer | undefined => {
  const text = readText(answer)
  const start = '{"data":[{'
  return text.startsWith(`${start}"`)
    ? withText(answer, `${start}${JSON.stringify(key)}:"unknown",${text.slice(start.length)}`)
    : undefined
}

export type Rule<Kind extends FaultRule["kind"]> = Extract<FaultRule, { readonly kind: Kind }>

/** The documented 429. Its limit comes from the headers of the clean answer. Beyond the spec: section 2. */
export const rateLimited = (
  clean: Answer,
  { header, limit, retryAfter = 1 }: Rule<"rate-limited">,
  draw: DrawnFault["draw"]
) => {
  const data = { bucket: "global", limit: limit ?? Number(clean.headers["x-ratelimit-limit"]), retryAfter }
  const message = `Bucket global is empty, try again in ${retryAfter} s`
  const answer = injected(clean, envelopeAnswer(429, { code: "TOO_MANY_REQUESTS", message, data }))
  return (header ?? draw("header") < 0.5)
    ? HttpServerResponse.setHeader(answer, "retry-after", String(retryAfter))
    : answer
}

const serverCodes = { 500: "INTERNAL_SERVER_ERROR", 502: "BAD_GATEWAY", 503: "SERVICE_UNAVAILABLE" } as const

/** A 5xx with the envelope, whose message names the request, or with the text of a proxy. */
export const serverError = (clean: Answer, rule: Rule<"server-error">, draw: DrawnFault["draw"]) => {
  const message = `The sandbox was told to fail; request id ${clean.headers["x-request-id"] ?? "unknown"}`
  const status = rule.status ?? pick([500, 502, 503] as const, draw("status")) ?? 500
  const answer =
    (rule.envelope ?? draw("envelope") < 0.5)
      ? envelopeAnswer(status, { code: serverCodes[status], message })
      : HttpServerResponse.text(`<html><body>${status}</body></html>`, { status, contentType: "text/html" })
  return injected(clean, answer)
}

const notFoundCodes: Partial<Record<FaultRequest["endpoint"], string>> = {
  product: "PRODUCT_NOT_FOUND",
  products: "PRODUCT_NOT_FOUND",
  expansion: "EXPANSION_NOT_FOUND"
}

/** A permanent not-found error with status 500. Beyond the spec: section 2. */
export const notFound500 = (clean: Answer, { endpoint, gameId }: FaultRequest) => {
  const code = notFoundCodes[endpoint] ?? "GAME_NOT_FOUND"
  return injected(clean, envelopeAnswer(500, { code, message: code, data: gameId === undefined ? {} : { gameId } }))
}

/** 401 without a reason. Spec: Errors, 401. */
export const revoked = (clean: Answer) =>
  injected(clean, envelopeAnswer(401, { code: "UNAUTHORIZED", message: "Unauthorized" }))
