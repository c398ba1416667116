import { Effect } from "effect"
import { HttpServerRequest, HttpServerResponse } from "effect/http"
import { hostFault } from "../../feed/guard/hostFault.ts"
import { senderOf } from "../../feed/guard/senderOf.ts"
import { pageHeaders } from "../pages/pageHeaders.ts"

/**
 * Accepts requests under this machine's own names and those `allowed`, and POSTs from this server's own pages only.
 * Tells browsers what they may do with each answer.
 */
export const guard = (allowed: ReadonlyArray<string>) => {
  const faultOf = hostFault(allowed)
  return <E, R>(app: Effect.Effect<HttpServerResponse.HttpServerResponse, E, R>) =>
    Effect.gen(function* () {
      const request = yield* HttpServerRequest.HttpServerRequest
      const reads = request.method === "GET" || request.method === "HEAD"
      const fault =
        faultOf(request) ??
        (reads || senderOf(request) === "own page" ? null : "This request does not come from a page of this server")
      const answer = fault === null ? yield* app : HttpServerResponse.text(`${fault}\n`, { status: 403 })
      return HttpServerResponse.setHeaders(answer, pageHeaders)
    })
}
