import { Effect } from "effect"
import { HttpServerRequest, HttpServerResponse } from "effect/http"
import { hostFault } from "../guard/hostFault.ts"
import { senderOf } from "../guard/senderOf.ts"

/**
 * Nothing from elsewhere, no frames, no sniffing. Scripts and styles come as files of this server. Its own pages may
 * say where they are: over plain http, a form under an allowed name has no other proof that it is theirs.
 */
const headers = {
  "content-security-policy":
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'",
  "x-content-type-options": "nosniff",
  "referrer-policy": "same-origin",
  "cross-origin-opener-policy": "same-origin",
  "cross-origin-resource-policy": "same-origin"
}

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
      return HttpServerResponse.setHeaders(answer, headers)
    })
}
