import { Effect } from "effect"
import { HttpServerRequest, type HttpServerResponse, Headers } from "effect/http"

const inBrackets = /(?<=[?&][^=&?[\]%]+)(?:\[|%5b)\d*(?:\]|%5d)(?==)/gi

/** `status[]=a` and `status[0]=a` as `status=a`; `metadata[key]=a` stays. Beyond the spec: section 1. */
export const plainQuery = <E, R>(app: Effect.Effect<HttpServerResponse.HttpServerResponse, E, R>) =>
  Effect.flatMap(HttpServerRequest.HttpServerRequest, (request) => {
    if (!/\[|%5b/i.test(request.url)) return app
    const url = request.url.replaceAll(inBrackets, "")
    // A copy that shares the body, and who reads it.
    const plain: HttpServerRequest.HttpServerRequest = Object.create(request, { url: { value: url } })
    return Effect.provideService(app, HttpServerRequest.HttpServerRequest, plain)
  })

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

/** The address that the client used, for links in answers: `http://127.0.0.1:4600`. */
export const originOf = Effect.map(
  HttpServerRequest.HttpServerRequest,
  ({ headers }) => `http://${headers["host"] ?? "127.0.0.1"}`
)
