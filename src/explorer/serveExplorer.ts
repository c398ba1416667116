import { createServer } from "node:http"
import { NodeHttpServer } from "@effect/platform-node"
import { Effect, Layer, Schema } from "effect"
import { HttpServer } from "effect/http"
import { answerPage } from "./answerPage.ts"
import { makeDiffReader } from "./DiffReader.ts"
import { guard } from "./guard.ts"
import { makeLakeReader } from "./LakeReader.ts"

/** The port is taken or not allowed. */
export class ExplorerPortUnavailable extends Schema.TaggedError<ExplorerPortUnavailable>()("ExplorerPortUnavailable", {
  port: Schema.Int
}) {
  override get message() {
    return `Port ${this.port} of 127.0.0.1 cannot be opened. Choose another one: cardlake explore --port 0 takes a free one`
  }
}

/**
 * Serves pages over the home's lake on 127.0.0.1 until the scope closes, which also cuts open connections; port 0 takes a free one. Answers
 * the address. Fails with NoLake before the first night, with ExplorerPortUnavailable where it cannot listen.
 */
export const serveExplorer = Effect.fnUntraced(function* (port: number) {
  const readers = { lake: yield* makeLakeReader, differences: yield* makeDiffReader }
  // Without a lake, and with one that cannot be read, nothing is served.
  yield* Effect.scoped(readers.lake.view)
  const server = createServer()
  const listening = () => {
    const address = server.address()
    return typeof address === "object" && address !== null ? address.port : port
  }
  const answered = Layer.effectDiscard(HttpServer.serveEffect(guard(listening)(answerPage(readers)))).pipe(
    Layer.provide(NodeHttpServer.layer(() => server, { port, host: "127.0.0.1" }))
  )
  yield* Layer.build(answered).pipe(
    Effect.catchTag("ServeError", () => Effect.fail(new ExplorerPortUnavailable({ port })))
  )
  yield* Effect.addFinalizer(() =>
    Effect.sync(() => {
      server.close()
      server.closeAllConnections()
    })
  )
  return `http://127.0.0.1:${listening()}`
})
