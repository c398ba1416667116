import { HttpServerResponse } from "effect/http"
import { gunzipSync, gzipSync } from "node:zlib"

/** The bytes that an answer puts on the wire. */
export const wireBytes = ({ body }: HttpServerResponse.HttpServerResponse): Uint8Array =>
  body._tag === "Uint8Array" ? body.body : new Uint8Array()

const isPacked = ({ headers }: HttpServerResponse.HttpServerResponse) => headers["content-encoding"] === "gzip"

/** The answer with other bytes on the wire; status, type and encoding stay. */
export const withWireBytes = (answer: HttpServerResponse.HttpServerResponse, bytes: Uint8Array) =>
  HttpServerResponse.uint8Array(bytes, {
    status: answer.status,
    headers: { ...answer.headers, "content-length": String(bytes.byteLength) },
    contentType: answer.headers["content-type"] ?? "application/json"
  })

/** The text of an answer, unpacked. */
export const textOf = (answer: HttpServerResponse.HttpServerResponse): string => {
  const bytes = wireBytes(answer)
  return Buffer.from(isPacked(answer) ? gunzipSync(bytes) : bytes).toString("utf8")
}

/** The answer with another text, packed as it was. */
export const withText = (answer: HttpServerResponse.HttpServerResponse, text: string) => {
  const bytes = Buffer.from(text)
  return withWireBytes(answer, isPacked(answer) ? gzipSync(bytes, { level: 1 }) : bytes)
}
