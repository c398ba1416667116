import { Context, Effect, Layer } from "effect"
import { serveApp } from "../pages/serveApp.ts"
import { answerPage } from "./answerPage.ts"
import { makeDiffReader } from "./DiffReader.ts"
import { makeLakeReader } from "./LakeReader.ts"
import { Pictures } from "./pictures/Pictures.ts"
import { HttpServerRequest, HttpServerResponse } from "effect/http"
import { hostFault } from "../../feed/guard/hostFault.ts"
import { classifySender } from "../../feed/guard/classifySender.ts"
import { pageHeaders } from "../pages/everyPage.ts"
import { Fault } from "../../feed/contract/Fault.ts"

/** A server's port is in use or not allowed. */
export const portUnavailable = (command: string, host: string, port: number) =>
  new Fault(
    "ExplorerPortUnavailable",
    `Cannot listen on port ${port} of ${host}. Use a free port: cardlake ${command} --port 0`
  )

interface Shown {
  readonly allowedHosts?: ReadonlyArray<string>
  readonly hasPictures?: boolean
  /** The command that starts this program in the reader's environment; default: `cardlake`. */
  readonly program?: string
}

/**
 * Returns a handler of requests for pages over the home's lake. Fails with NoLake before the first night.
 * With `hasPictures` it downloads the pictures of cards that a page shows.
 * Answers requests to this machine's host names and `allowedHosts`.
 */
export const explorerPages = Effect.fnUntraced(function* ({
  allowedHosts = [],
  hasPictures = false,
  program = "cardlake"
}: Shown) {
  const pictures = hasPictures ? Context.get(yield* Layer.build(Pictures.layer), Pictures) : null
  const readers = { lake: yield* makeLakeReader, differences: yield* makeDiffReader, pictures, program }
  // Fails early if the lake is missing or unreadable.
  yield* Effect.scoped(readers.lake.view)
  return { lake: readers.lake, app: guard(allowedHosts)(answerPage(readers)) }
})

/**
 * Serves {@link explorerPages} on 127.0.0.1 until the scope closes; port 0 picks a free one. Returns the address.
 * Fails with ExplorerPortUnavailable if it cannot listen.
 */
export const serveExplorer = Effect.fnUntraced(function* ({ port, ...shown }: Shown & { readonly port: number }) {
  const { app } = yield* explorerPages(shown)
  const host = "127.0.0.1"
  const opened = yield* serveApp({ host, port }, app).pipe(
    Effect.catchTag("ServeError", () => Effect.fail(portUnavailable("explore", host, port)))
  )
  return `http://${host}:${opened}`
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
