import { createServer } from "node:http"
import * as NodeHttpServer from "@effect/platform-node/NodeHttpServer"
import { Effect, Layer, Schema, type Scope } from "effect"
import { HttpServer, HttpServerRequest, HttpServerResponse } from "effect/http"
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

/** Serves `GET /health` until the scope closes, which also cuts open connections: 200 when `ok`, else 503. Returns the port. */
export const serveHealth = Effect.fnUntraced(function* (
  { host, port }: { readonly host: string; readonly port: number },
  health: Effect.Effect<Health>
): Effect.fn.Return<number, HealthPortUnavailable, Scope.Scope> {
  const server = createServer()
  const answer = Effect.gen(function* () {
    const { url } = yield* HttpServerRequest.HttpServerRequest
    if (url.replace(/\?.*$/, "") !== "/health") return HttpServerResponse.empty({ status: 404 })
    const says = yield* health
    return HttpServerResponse.jsonUnsafe(says, {
      status: says.ok ? 200 : 503,
      headers: { "cache-control": "no-store" }
    })
  })
  yield* Layer.build(
    Layer.effectDiscard(HttpServer.serveEffect(answer)).pipe(
      Layer.provide(NodeHttpServer.layer(() => server, { host, port }))
    )
  ).pipe(Effect.catchTag("ServeError", () => Effect.fail(new HealthPortUnavailable({ host, port }))))
  yield* Effect.addFinalizer(() =>
    Effect.sync(() => {
      server.close()
      server.closeAllConnections()
    })
  )
  const address = server.address()
  return typeof address === "object" && address !== null ? address.port : port
})
