import { HttpServerResponse, HttpServerRequest, Headers } from "effect/http"
import { gunzipSync, gzipSync } from "node:zlib"
import { Effect } from "effect"
import type { Server } from "node:http"

export type Answer = HttpServerResponse.HttpServerResponse
export type Incoming = HttpServerRequest.HttpServerRequest

/** Returns the bytes that an answer sends. */
export const wireBytes = ({ body }: Answer): Uint8Array => (body._tag === "Uint8Array" ? body.body : new Uint8Array())

const isPacked = ({ headers }: Answer) => headers["content-encoding"] === "gzip"

/** Returns the answer with other bytes; status, type and encoding do not change. */
export const withWireBytes = (answer: Answer, bytes: Uint8Array) =>
  HttpServerResponse.uint8Array(bytes, {
    status: answer.status,
    headers: { ...answer.headers, "content-length": String(bytes.byteLength) },
    contentType: answer.headers["content-type"] ?? "application/json"
  })

/** Returns the decompressed text of an answer. */
export const readText = (answer: Answer): string => {
  const bytes = wireBytes(answer)
  return Buffer.from(isPacked(answer) ? gunzipSync(bytes) : bytes).toString("utf8")
}

/** Returns the answer with another text, in the encoding of the original. */
export const withText = (answer: Answer, text: string) => {
  const bytes = Buffer.from(text)
  return withWireBytes(answer, isPacked(answer) ? gzipSync(bytes, { level: 1 }) : bytes)
}

/** Returns a copy of a request with other values. It shares the body, including any part already read. */
export const requestWith = (
  request: Incoming,
  values: Partial<Pick<Incoming, "headers" | "method" | "text" | "url">>
): Incoming =>
  Object.create(request, Object.fromEntries(Object.entries(values).map(([name, value]) => [name, { value }])))

const inBrackets = /(?<=[?&][^=&?[\]%]+)(?:\[|%5b)\d*(?:\]|%5d)(?==)/gi

/** Rewrites `status[]=a` and `status[0]=a` to `status=a`, but not `metadata[key]=a`. Beyond the spec: section 1. */
export const plainQuery = <E, R>(app: Effect.Effect<Answer, E, R>) =>
  Effect.flatMap(HttpServerRequest.HttpServerRequest, (request) => {
    if (!/\[|%5b/i.test(request.url)) return app
    const url = request.url.replaceAll(inBrackets, "")
    return Effect.provideService(app, HttpServerRequest.HttpServerRequest, requestWith(request, { url }))
  })

const isSent = (headers: Headers.Headers): boolean =>
  headers["transfer-encoding"] !== undefined || Number(headers["content-length"] ?? 0) > 0

/**
 * Ignores a body without a type. The HTTP layer would read it as JSON, and any web page can send one without
 * permission.
 */
export const typedBody = <E, R>(app: Effect.Effect<Answer, E, R>) =>
  Effect.flatMap(HttpServerRequest.HttpServerRequest, (request) => {
    const { headers } = request
    if (headers["content-type"] !== undefined || !isSent(headers)) return app
    const typed = requestWith(request, { headers: Headers.set(headers, "content-type", "") })
    return Effect.provideService(app, HttpServerRequest.HttpServerRequest, typed)
  })

/** The origin that the client used, for links in answers: `http://127.0.0.1:4600`. */
export const requestOrigin = Effect.map(
  HttpServerRequest.HttpServerRequest,
  ({ headers }) => `http://${headers["host"] ?? "127.0.0.1"}`
)

/** Stops a server and closes its open connections. */
export const closeServer = (server: Server) =>
  Effect.sync(() => {
    server.close()
    server.closeAllConnections()
  })

/** Returns the origin of a server that listens on 127.0.0.1. */
export const listeningAt = (server: Server): string => {
  const address = server.address()
  return `http://127.0.0.1:${typeof address === "object" && address !== null ? address.port : 0}`
}
