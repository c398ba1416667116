import { NodeHttpServerRequest } from "@effect/platform-node"
import { Effect, Stream } from "effect"
import { type HttpServerRequest, HttpServerResponse } from "effect/http"
import type { ServerResponse } from "node:http"
import type { DrawnFault } from "./Faults.ts"
import { wireBytes } from "../answers/wireBody.ts"

type Request = HttpServerRequest.HttpServerRequest
type Answer = HttpServerResponse.HttpServerResponse

/** The raw response: a complete answer cannot express a cut. The sandbox speaks HTTP/1.1 only. */
const rawResponse = (request: Request) => NodeHttpServerRequest.toServerResponse(request) as ServerResponse

/** Nothing more is written to a response that is destroyed. */
const cut = (response: ServerResponse): Answer => {
  response.socket?.resetAndDestroy()
  response.destroy()
  return HttpServerResponse.empty()
}

/** Resets the connection instead of answering. */
export const resetBefore = (request: Request): Effect.Effect<Answer> => Effect.sync(() => cut(rawResponse(request)))

/** Sends head and a part of the body, then resets the connection. */
export const resetInBody = (request: Request, answer: Answer, draw: DrawnFault["draw"]): Effect.Effect<Answer> =>
  Effect.callback((resume) => {
    const response = rawResponse(request)
    const bytes = wireBytes(answer)
    response.writeHead(answer.status, { ...answer.headers, "content-length": String(bytes.byteLength) })
    response.write(bytes.subarray(0, Math.floor(bytes.byteLength * draw("cut"))), () =>
      resume(Effect.sync(() => cut(response)))
    )
  })

/** The whole answer, slowly. */
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
