import { HttpServerResponse, HttpServerRequest } from "effect/http"
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
