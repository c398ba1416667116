import { NodeHttpServer } from "@effect/platform-node"
import { Effect, Layer } from "effect"
import { HttpServer } from "effect/http"
import { createServer } from "node:http"
import { type Answer, closeServer, listeningAt } from "./answers/wire.ts"
import { PortUnavailable } from "./Sandbox.ts"

/** Serves on this port of 127.0.0.1 until the scope closes, which also closes open connections. Returns the origin. */
export const listenHere = Effect.fnUntraced(function* <E, R>(app: Effect.Effect<Answer, E, R>, port: number) {
  const server = createServer({ keepAliveTimeout: 75_000 })
  const listening = HttpServer.serveEffect(app).pipe(
    Layer.effectDiscard,
    Layer.provideMerge(NodeHttpServer.layer(() => server, { port, host: "127.0.0.1" }))
  )
  yield* Layer.build(listening).pipe(Effect.catchTag("ServeError", () => Effect.fail(new PortUnavailable({ port }))))
  yield* Effect.addFinalizer(() => closeServer(server))
  return listeningAt(server)
})
