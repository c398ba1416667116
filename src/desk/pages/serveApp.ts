import { createServer } from "node:http"
import * as NodeHttpServer from "@effect/platform-node/NodeHttpServer"
import { Effect, Layer, type Scope } from "effect"
import { HttpServer, type HttpServerRequest, type HttpServerResponse } from "effect/http"

/** A handler of one request. */
export type App<E, R> = Effect.Effect<
  HttpServerResponse.HttpServerResponse,
  E,
  R | HttpServerRequest.HttpServerRequest | Scope.Scope
>

/** Serves an app until the scope closes, which cuts open connections. Returns the port; port 0 picks a free one. */
export const serveApp = Effect.fnUntraced(function* <E, R>(
  { maxConnections, ...listening }: { readonly host: string; readonly port: number; readonly maxConnections?: number },
  app: App<E, R>
) {
  const server = createServer()
  if (maxConnections !== undefined) server.maxConnections = maxConnections
  yield* Layer.build(
    Layer.effectDiscard(HttpServer.serveEffect(app)).pipe(Layer.provide(NodeHttpServer.layer(() => server, listening)))
  )
  yield* Effect.addFinalizer(() =>
    Effect.sync(() => {
      server.close()
      server.closeAllConnections()
    })
  )
  const address = server.address()
  return typeof address === "object" && address !== null ? address.port : listening.port
})
