import { NodeHttpServer } from "@effect/platform-node"
import { ByteSize, Cause, Effect, Layer } from "effect"
import {
  HttpIncomingMessage,
  HttpMiddleware,
  HttpRouter,
  HttpServerError,
  HttpServerRequest,
  HttpServerResponse
} from "effect/http"
import { HttpApiBuilder, OpenApi } from "effect/http-api"
import { shownText } from "../../feed/contract/shownText.ts"
import { assistantRoute, notJson, refuseText } from "../assistant/serveAssistant.ts"
import { explorerPages, portUnavailable } from "../explorer/serveExplorer.ts"
import { pageHeaders } from "../pages/everyPage.ts"
import { serveApp } from "../pages/serveApp.ts"
import { type Admission, admit } from "./admission.ts"
import { makeAnswerFiles } from "./AnswerFiles.ts"
import { lakeHandlers } from "./lakeHandlers.ts"
import { makeLakeWatch } from "./LakeWatch.ts"
import { layerReasons, problem, ServeApi } from "./ServeApi.ts"

/** Addresses of programs. All others are pages. */
const ours = /^\/(?:v1\/|mcp$|openapi\.json$)/

/** Answers a request that no handler has answered. */
const answerFailure = Effect.fnUntraced(function* (cause: Cause.Cause<unknown>) {
  const { method, url } = yield* HttpServerRequest.HttpServerRequest
  const error = Cause.squash(cause)
  if (Cause.hasInterruptsOnly(cause)) return HttpServerResponse.empty({ status: 503 })
  if (HttpServerError.isHttpServerError(error) && error.reason._tag === "RouteNotFound") {
    if (method === "GET" || method === "HEAD")
      return problem(404, "Not found", "Nothing is at this address. What is: /openapi.json")
    const refusal = problem(405, "Method not allowed", "This server only reads: use GET, or POST to /mcp")
    return HttpServerResponse.setHeader(refusal, "allow", "GET, HEAD")
  }
  yield* Effect.logError(shownText(`${url.split("?")[0]}: ${error instanceof Error ? error.message : String(error)}`))
  return problem(500, "Internal error", "The server has failed. Its log says why")
})

/** Answers what the protocol of assistants answers without a body, or as a success: another method, and what is not JSON. */
const explainAssistant = <E, R>(app: Effect.Effect<HttpServerResponse.HttpServerResponse, E, R>) =>
  Effect.gen(function* () {
    const request = yield* HttpServerRequest.HttpServerRequest
    if (request.url.split("?")[0] !== "/mcp") return yield* app
    // A body that is too large has no text.
    const text = request.method === "POST" ? yield* Effect.orElseSucceed(request.text, () => "") : "{}"
    const refused = refuseText(text)
    if (refused?.error.code === notJson) return HttpServerResponse.jsonUnsafe(refused, { status: 400 })
    const answer = yield* app
    if (answer.status !== 405) return answer
    const allowed = answer.headers["allow"] ?? "POST"
    const explained = problem(405, "Method not allowed", `An assistant sends its messages here. Use ${allowed}`)
    return HttpServerResponse.setHeader(explained, "allow", allowed)
  })

interface Served {
  readonly admission: Admission
  readonly port: number
  readonly program: string
  readonly version: string
  /** True if assistants may read the user's own cards. */
  readonly withCollection: boolean
}

/**
 * Serves the lake to other programs, and on this machine also its pages, until the scope closes; port 0 picks a free
 * one. Returns the address. Fails with NoLake before the first night, with ExplorerPortUnavailable if it cannot listen.
 */
export const serveLake = Effect.fnUntraced(function* ({ admission, port, program, version, withCollection }: Served) {
  const { allowedHosts, host, token } = admission
  const { app: pages, lake } = yield* explorerPages({ allowedHosts, program })
  const platform = yield* Layer.build(NodeHttpServer.layerHttpServices)
  const files = yield* Effect.provideContext(makeAnswerFiles, platform)
  const watch = yield* makeLakeWatch(lake, files.tidy)
  const handlers = Layer.provideMerge(lakeHandlers({ files, lake, watch }), layerReasons)
  const described = ServeApi.annotate(OpenApi.Version, version)
  const routes = Layer.merge(
    HttpApiBuilder.layer(described, { openapiPath: "/openapi.json" }).pipe(Layer.provide(handlers)),
    assistantRoute({ version, withCollection })
  )
  const api = (yield* Effect.provideContext(HttpRouter.toHttpEffect(routes), platform)).pipe(
    explainAssistant,
    Effect.catchCause(answerFailure),
    Effect.map(HttpServerResponse.setHeaders(pageHeaders)),
    HttpMiddleware.compression({ algorithms: ["gzip"], compressible: (type) => !type.includes("parquet") }),
    Effect.provideService(HttpIncomingMessage.MaxBodySize, ByteSize.megabytes(1)),
    admit(admission),
    Effect.provideContext(platform)
  )
  // A browser sends no token, and pages show own cards and the console: they are for this machine alone.
  const app = Effect.gen(function* () {
    const { url } = yield* HttpServerRequest.HttpServerRequest
    return yield* token !== null || ours.test(url.split("?")[0] ?? "") ? api : pages
  })
  const opened = yield* serveApp({ host, port, maxConnections }, app).pipe(
    Effect.catchTag("ServeError", () => Effect.fail(portUnavailable("serve", host, port)))
  )
  return `http://${host.includes(":") ? `[${host}]` : host}:${opened}`
})

const maxConnections = 2000
