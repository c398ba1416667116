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

const refused = (says: string, status: number) => HttpServerResponse.text(`${says}\n`, { status })

/**
 * Lets through what a person on this machine asks for: a request under a name of this server (a page elsewhere whose name is pointed at
 * 127.0.0.1 has another), and a POST from one of its own pages alone. Every answer says what a browser may do with it.
 */
export const guard =
  (port: () => number) =>
  <E, R>(app: Effect.Effect<HttpServerResponse.HttpServerResponse, E, R>) =>
    Effect.gen(function* () {
      const request = yield* HttpServerRequest.HttpServerRequest
      const hosts = ["127.0.0.1", "localhost", "[::1]"].map((name) => `${name}:${port()}`)
      const host = request.headers["host"] ?? ""
      const origin = request.headers["origin"]
      const isRead = request.method === "GET" || request.method === "HEAD"
      const answer = yield* hosts.includes(host)
        ? isRead || origin === `http://${host}`
          ? app
          : Effect.succeed(refused("This is asked from the page of another place", 403))
        : Effect.succeed(
            refused(`This server does not answer to ${host === "" ? "a request without Host" : "this Host"}`, 403)
          )
      return HttpServerResponse.setHeaders(answer, headers)
    })
