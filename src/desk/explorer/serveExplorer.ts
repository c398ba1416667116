import { Context, Effect, Layer, Schema } from "effect"
import { serveApp } from "../pages/serveApp.ts"
import { answerPage } from "./answerPage.ts"
import { makeDiffReader } from "./DiffReader.ts"
import { makeLakeReader } from "./LakeReader.ts"
import { Pictures } from "./pictures/Pictures.ts"
import { HttpServerRequest, HttpServerResponse } from "effect/http"
import { hostFault } from "../../feed/guard/hostFault.ts"
import { classifySender } from "../../feed/guard/classifySender.ts"
import { pageHeaders } from "../pages/everyPage.ts"

/** The port is in use or not allowed. */
export class ExplorerPortUnavailable extends Schema.TaggedError<ExplorerPortUnavailable>()("ExplorerPortUnavailable", {
  port: Schema.Int
}) {
  override get message() {
    return `Cannot listen on port ${this.port} of 127.0.0.1. Use a free port: cardlake explore --port 0`
  }
}

interface Served {
  readonly port: number
  readonly allowedHosts?: ReadonlyArray<string>
  readonly hasPictures?: boolean
  /** The command that starts this program in the reader's environment; default: `cardlake`. */
  readonly program?: string
}

/**
 * Serves pages over the home's lake on 127.0.0.1 until the scope closes; port 0 picks a free one. Returns the address.
 * With `hasPictures` it downloads the pictures of cards that a page shows.
 * Answers requests to this machine's host names and `allowedHosts`.
 * Fails with NoLake before the first night, with ExplorerPortUnavailable if it cannot listen.
 */
export const serveExplorer = Effect.fnUntraced(function* ({
  allowedHosts = [],
  hasPictures = false,
  port,
  program = "cardlake"
}: Served) {
  const pictures = hasPictures ? Context.get(yield* Layer.build(Pictures.layer), Pictures) : null
  const readers = { lake: yield* makeLakeReader, differences: yield* makeDiffReader, pictures, program }
  // Fails early if the lake is missing or unreadable.
  yield* Effect.scoped(readers.lake.view)
  const opened = yield* serveApp({ host: "127.0.0.1", port }, guard(allowedHosts)(answerPage(readers))).pipe(
    Effect.catchTag("ServeError", () => Effect.fail(new ExplorerPortUnavailable({ port })))
  )
  return `http://127.0.0.1:${opened}`
})

/**
 * Accepts requests to this machine's host names and those `allowed`, and POSTs only from this server's pages.
 * Adds security headers to each answer.
 */
export const guard = (allowed: ReadonlyArray<string>) => {
  const findHostFault = hostFault(allowed)
  return <E, R>(app: Effect.Effect<HttpServerResponse.HttpServerResponse, E, R>) =>
    Effect.gen(function* () {
      const request = yield* HttpServerRequest.HttpServerRequest
      const reads = request.method === "GET" || request.method === "HEAD"
      const fault =
        findHostFault(request) ??
        (reads || classifySender(request) === "own page"
          ? null
          : "The request does not come from a page of this server")
      const answer = fault === null ? yield* app : HttpServerResponse.text(`${fault}\n`, { status: 403 })
      return HttpServerResponse.setHeaders(answer, pageHeaders)
    })
}
