import { Effect } from "effect"
import { Headers, HttpServerRequest, type HttpServerResponse } from "effect/http"

const isSent = (headers: Headers.Headers): boolean =>
  headers["transfer-encoding"] !== undefined || Number(headers["content-length"] ?? 0) > 0

/** A body without a type has none. The HTTP layer would take it for JSON, and any page can send such a body unasked. */
export const typedBody = <E, R>(app: Effect.Effect<HttpServerResponse.HttpServerResponse, E, R>) =>
  Effect.flatMap(HttpServerRequest.HttpServerRequest, (request) => {
    const { headers } = request
    if (headers["content-type"] !== undefined || !isSent(headers)) return app
    const typed: HttpServerRequest.HttpServerRequest = Object.create(request, {
      headers: { value: Headers.set(headers, "content-type", "") }
    })
    return Effect.provideService(app, HttpServerRequest.HttpServerRequest, typed)
  })
