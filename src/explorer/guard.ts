import { Effect } from "effect"
import { HttpServerRequest, HttpServerResponse } from "effect/http"

/** Nothing from elsewhere, no frames, no sniffing. Scripts and styles come as files of this server. */
const headers = {
  "content-security-policy":
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'",
  "x-content-type-options": "nosniff",
  "referrer-policy": "no-referrer",
  "cross-origin-opener-policy": "same-origin",
  "cross-origin-resource-policy": "same-origin"
}

const refused = (says: string) => HttpServerResponse.text(`${says}\n`, { status: 403 })

/**
 * Accepts what a person on this machine requests: under this server's own names (a site that points its name at
 * 127.0.0.1 has another) and POSTs from its own pages. Tells browsers what they may do with each answer.
 */
export const guard =
  (port: () => number) =>
  <E, R>(app: Effect.Effect<HttpServerResponse.HttpServerResponse, E, R>) =>
    Effect.gen(function* () {
      const { headers: sent, method } = yield* HttpServerRequest.HttpServerRequest
      const hosts = ["127.0.0.1", "localhost", "[::1]"].map((name) => `${name}:${port()}`)
      const host = sent["host"] ?? ""
      // Under `no-referrer` a browser names no origin in a POST, but says that it comes from the same one.
      const isOwn = sent["origin"] === `http://${host}` || sent["sec-fetch-site"] === "same-origin"
      const answer = yield* !hosts.includes(host)
        ? Effect.succeed(
            refused(`This server does not answer to ${host === "" ? "a request without Host" : "this Host"}`)
          )
        : method === "GET" || method === "HEAD" || isOwn
          ? app
          : Effect.succeed(refused("This request comes from a page of another site"))
      return HttpServerResponse.setHeaders(answer, headers)
    })
