import { createServer } from "node:http"
import { NodeHttpServer } from "@effect/platform-node"
import { Cause, Clock, Effect, Layer, Schema, Scope } from "effect"
import { HttpServer, HttpServerRequest, HttpServerResponse } from "effect/http"
import { NoLake } from "../lake/openLake.ts"
import { type Asked, AskedWrongly, NotThere, type KnownGame } from "./Asked.ts"
import { assetAt } from "./assets.ts"
import { guard } from "./guard.ts"
import { html } from "./html.ts"
import { type LakeReader, type LakeView, makeLakeReader } from "./LakeReader.ts"
import { layout, pageHead } from "./layout.ts"
import { pages } from "./pages.ts"

/** The port is taken or not allowed. */
export class ExplorerPortUnavailable extends Schema.TaggedError<ExplorerPortUnavailable>()("ExplorerPortUnavailable", {
  port: Schema.Int
}) {
  override get message() {
    return `Port ${this.port} of 127.0.0.1 cannot be opened. Choose another one: cardlake explore --port 0 takes a free one`
  }
}

/**
 * Serves pages over the home's lake on 127.0.0.1 until the scope closes, which also cuts open connections; 0 takes a free port. Answers the address.
 * Fails with NoLake before the first night, with ExplorerPortUnavailable where it cannot listen.
 */
export const serveExplorer = Effect.fnUntraced(function* (port: number) {
  const reader = yield* makeLakeReader
  // Without a lake, and with one that cannot be read, nothing is served.
  yield* Effect.scoped(reader.view)
  const server = createServer()
  const listening = () => {
    const address = server.address()
    return typeof address === "object" && address !== null ? address.port : port
  }
  const answered = Layer.effectDiscard(HttpServer.serveEffect(guard(listening)(answer(reader)))).pipe(
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

const answer = Effect.fnUntraced(function* (reader: LakeReader) {
  const request = yield* HttpServerRequest.HttpServerRequest
  const url = new URL(request.url, "http://127.0.0.1")
  const asset = assetAt(url.pathname)
  if (asset !== null) return asset
  return yield* Effect.scoped(
    Effect.gen(function* () {
      const lake = yield* reader.view
      const games = yield* knownGames(lake)
      return yield* pageAt(url, lake, games)
    })
  ).pipe(Effect.catchCause((cause) => failed(url, cause)))
})

const knownGames = (lake: LakeView) =>
  Effect.map(lake.rows("List the games", "select game_id, name from games order by game_id"), (rows) =>
    rows.map((row): KnownGame => ({ gameId: String(row["game_id"]), name: String(row["name"]) }))
  )

const pageAt = Effect.fnUntraced(function* (url: URL, lake: LakeView, games: ReadonlyArray<KnownGame>) {
  const nowMillis = yield* Clock.currentTimeMillis
  const found = pages
    .map(({ page, pattern }) => ({ page, match: pattern.exec({ pathname: url.pathname }) }))
    .find(({ match }) => match !== null)
  const parts = Object.fromEntries(
    Object.entries(found?.match?.pathname.groups ?? {}).map(([name, text]) => [name, decoded(text ?? "")])
  )
  const wanted = parts["game"] ?? url.searchParams.get("game") ?? ""
  const game = games.find(({ gameId }) => gameId === wanted) ?? null
  const asked: Asked = { path: url.pathname, parts, query: url.searchParams, lake, games, game, nowMillis }
  const frame = { path: url.pathname, query: url.searchParams.get("q") ?? "", games, game }
  const page = found === undefined ? Effect.fail(noSuchPage) : found.page(asked)
  return yield* page.pipe(
    Effect.map((made) => document(200, { ...frame, ...made })),
    Effect.catchTag("NotThere", (error) =>
      Effect.succeed(document(404, { ...frame, ...sentencePage("Not there", error.message) }))
    ),
    Effect.catchTag("AskedWrongly", (error) =>
      Effect.succeed(document(400, { ...frame, ...sentencePage("Not understood", error.message) }))
    )
  )
})

const noSuchPage = new NotThere({ what: "There is no such page", next: "Begin at the overview" })

/** A part of a path; one that is not decodable names nothing. */
const decoded = (text: string): string => {
  try {
    return decodeURIComponent(text)
  } catch {
    return ""
  }
}

const document = (status: number, frame: Parameters<typeof layout>[0]) =>
  HttpServerResponse.text(layout(frame), {
    status,
    contentType: "text/html; charset=utf-8",
    headers: { "cache-control": "no-store" }
  })

const sentencePage = (title: string, says: string) => ({
  title,
  body: html`${pageHead("Cardlake", title)}
    <p class="empty">${says}. <a href="/">Overview</a></p>`
})

/** What is no fault of who asked: the reason goes to the page and, whole, to the log. */
const failed = <E>(url: URL, cause: Cause.Cause<E>) => {
  if (Cause.hasInterruptsOnly(cause)) return Effect.succeed(HttpServerResponse.empty({ status: 503 }))
  const error = Cause.squash(cause)
  const says = error instanceof Error ? error.message : String(error)
  const frame = { path: url.pathname, games: [], game: null, ...sentencePage("This page could not be made", says) }
  return Effect.as(Effect.logError(`${url.pathname}: ${says}`), document(error instanceof NoLake ? 503 : 500, frame))
}
