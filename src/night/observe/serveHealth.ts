import { Effect, Schema, type Scope } from "effect"
import { HttpServerRequest, HttpServerResponse } from "effect/http"
import { serveApp } from "../../desk/pages/serveApp.ts"
import type { Health } from "./ScheduleState.ts"

/** The health port is taken, not allowed, or not of this machine. */
export class HealthPortUnavailable extends Schema.TaggedError<HealthPortUnavailable>()("HealthPortUnavailable", {
  host: Schema.String,
  port: Schema.Int
}) {
  override get message() {
    return `Port ${this.port} of ${this.host} cannot be opened for /health. Choose another one with --health, or another address with --health-host`
  }
}

/**
 * Serves `GET /health` until the scope closes: 200 when `ok`, else 503; `/health?live` goes by `live` instead.
 * Returns the port.
 */
export const serveHealth = Effect.fnUntraced(function* (
  { host, port }: { readonly host: string; readonly port: number },
  health: Effect.Effect<Health>
): Effect.fn.Return<number, HealthPortUnavailable, Scope.Scope> {
  const answer = Effect.gen(function* () {
    const { url } = yield* HttpServerRequest.HttpServerRequest
    const { pathname, searchParams } = new URL(url, "http://localhost")
    if (pathname !== "/health") return HttpServerResponse.empty({ status: 404 })
    const says = yield* health
    return HttpServerResponse.jsonUnsafe(says, {
      status: (searchParams.has("live") ? says.live : says.ok) ? 200 : 503,
      headers: { "cache-control": "no-store" }
    })
  })
  return yield* serveApp({ host, port }, answer).pipe(
    Effect.catchTag("ServeError", () => Effect.fail(new HealthPortUnavailable({ host, port })))
  )
})
