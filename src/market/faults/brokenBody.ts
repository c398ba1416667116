import { HttpServerResponse } from "effect/http"
import type { DrawnFault } from "./FaultLedger.ts"
import { textOf, wireBytes, withText, withWireBytes } from "../answers/wireBody.ts"

type Answer = HttpServerResponse.HttpServerResponse

const page = "<!doctype html><html><head><title>Just a moment</title></head><body>We will be right back.</body></html>"

/** A proxy's error page that claims to be a success. */
export const htmlPage = (answer: Answer): Answer => {
  const { "content-encoding": _, ...headers } = answer.headers
  return HttpServerResponse.text(page, { headers, contentType: "text/html; charset=utf-8" })
}

/** 200 without a body. */
export const emptyBody = (answer: Answer): Answer => withWireBytes(answer, new Uint8Array())

/** A body that ends early and claims to be complete. */
export const truncatedBody = (answer: Answer, draw: DrawnFault["draw"]): Answer => {
  const bytes = wireBytes(answer)
  return withWireBytes(answer, bytes.subarray(0, Math.max(1, Math.floor(bytes.byteLength * draw("cut")))))
}

/** Bytes that begin like gzip but are not. */
export const invalidGzip = (answer: Answer, draw: DrawnFault["draw"]): Answer => {
  const noise = Buffer.from(Array.from({ length: 64 }, (_, at) => Math.floor(draw(`noise ${at}`) * 256)))
  const bytes = Buffer.concat([Buffer.from([0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 3]), noise])
  return HttpServerResponse.setHeader(withWireBytes(answer, bytes), "content-encoding", "gzip")
}

/** A complete body, packed as requested, that is not JSON: a bracket is missing at its end. */
export const invalidJson = (answer: Answer): Answer => withText(answer, `${textOf(answer).slice(0, -1)},]`)
