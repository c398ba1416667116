import { Effect } from "effect"
import { HttpServerRequest, type HttpServerResponse } from "effect/http"

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
