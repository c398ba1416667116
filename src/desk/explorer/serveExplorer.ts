import { Context, Effect, Layer, Schema } from "effect"
import { serveApp } from "../pages/serveApp.ts"
import { answerPage } from "./answerPage.ts"
import { makeDiffReader } from "./DiffReader.ts"
import { makeLakeReader } from "./LakeReader.ts"
import { Pictures } from "./pictures/Pictures.ts"
import { HttpServerRequest, HttpServerResponse } from "effect/http"
import { hostFault } from "../../feed/guard/hostFault.ts"
import { senderOf } from "../../feed/guard/senderOf.ts"
import { pageHeaders } from "../pages/everyPage.ts"

/** The port is taken or not allowed. */
export class ExplorerPortUnavailable extends Schema.TaggedError<ExplorerPortUnavailable>()("ExplorerPortUnavailable", {
  port: Schema.Int
}) {
  override get message() {
    return `Port ${this.port} of 127.0.0.1 cannot be opened. Choose another one: cardlake explore --port 0 picks a free one`
  }
}

interface Served {
  readonly port: number
  readonly allowedHosts?: ReadonlyArray<string>
  readonly hasPictures?: boolean
  /** What starts this program where the reader is; default: `cardlake`. */
  readonly program?: string
}

/**
 * Serves pages over the home's lake on 127.0.0.1 until the scope closes; port 0 takes a free one. Returns the address.
 * With `hasPictures` it fetches those of the cards that a page shows.
 * Answers under this machine's own names and `allowedHosts`.
 * Fails with NoLake before the first night, with ExplorerPortUnavailable where it cannot listen.
 */
export const serveExplorer = Effect.fnUntraced(function* ({
  allowedHosts = [],
  hasPictures = false,
  port,
  program = "cardlake"
}: Served) {
  const pictures = hasPictures ? Context.get(yield* Layer.build(Pictures.layer), Pictures) : null
  const readers = { lake: yield* makeLakeReader, differences: yield* makeDiffReader, pictures, program }
  // Without a lake, or with an unreadable one, nothing is served.
  yield* Effect.scoped(readers.lake.view)
  const opened = yield* serveApp({ host: "127.0.0.1", port }, guard(allowedHosts)(answerPage(readers))).pipe(
    Effect.catchTag("ServeError", () => Effect.fail(new ExplorerPortUnavailable({ port })))
  )
  return `http://127.0.0.1:${opened}`
})

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
      return HttpServerResponse.setHeaders(answer, pageHeaders)
    })
}
