import { ByteSize, Cause, Clock, Effect, Option } from "effect"
import { HttpIncomingMessage, HttpServerRequest, HttpServerResponse } from "effect/http"
import { shownText } from "../contract/shownText.ts"
import { Home } from "../home/Home.ts"
import { NoLake } from "../lake/publish/openLake.ts"
import { fileFormats, type PageRequest, type KnownGame, NotThere, type Page } from "./PageRequest.ts"
import { assetAt } from "./assets.ts"
import { consoleDownload } from "./consoleDownload.ts"
import type { DiffReader } from "./DiffReader.ts"
import { html } from "../pages/html.ts"
import type { LakeReader, LakeView } from "./LakeReader.ts"
import { type Frame, layout } from "./layout.ts"
import { pageHead } from "../pages/pageDocument.ts"
import { findPage } from "./pages.ts"
import { fileAnswer } from "./TakenAway.ts"
import { suggestions } from "./search/suggestions.ts"
import { withoutPaths } from "./withoutPaths.ts"

interface Readers {
  readonly lake: LakeReader
  readonly differences: DiffReader
}

/** Answers a request with a file or a page: 400 and 404 say what was wrong with it, 500 what failed. */
export const answerPage = Effect.fnUntraced(function* (readers: Readers) {
  const request = yield* HttpServerRequest.HttpServerRequest
  const url = URL.parse(request.url, "http://127.0.0.1") ?? new URL("http://127.0.0.1/?")
  const isConsole = url.pathname === "/console" || url.pathname === "/console/download"
  if (request.method === "POST" ? !isConsole : request.method !== "GET" && request.method !== "HEAD") {
    return HttpServerResponse.empty({ status: 405 })
  }
  const asset = assetAt(url.pathname)
  if (asset !== null) return asset
  const form = request.method === "POST" ? yield* Effect.option(sentForm(request)) : Option.some(null)
  if (Option.isNone(form)) return HttpServerResponse.empty({ status: 413 })
  if (form.value !== null && url.pathname === "/console/download") return yield* consoleDownload(form.value)
  const page = Effect.gen(function* () {
    const lake = yield* readers.lake.view
    return yield* pageAt(url, { lake, differences: readers.differences, form: form.value })
  })
  // The server runs its handlers to their end; an abandoned request is not rendered.
  const { root } = yield* Home
  return yield* Effect.catchCause(Effect.interruptible(Effect.scoped(page)), (cause) => failed(url, root, cause))
})

const sentForm = (request: HttpServerRequest.HttpServerRequest) =>
  Effect.map(
    Effect.provideService(request.text, HttpIncomingMessage.MaxBodySize, ByteSize.megabytes(1)),
    (text) => new URLSearchParams(text)
  )

const pageAt = Effect.fnUntraced(function* (url: URL, reads: Pick<PageRequest, "lake" | "differences" | "form">) {
  const games = yield* knownGames(reads.lake)
  const format = fileFormats.find((ending) => url.pathname.endsWith(`.${ending}`)) ?? null
  const path = format === null ? url.pathname : url.pathname.slice(0, -format.length - 1)
  const found = findPage(path)
  const parts: PageRequest["parts"] = Object.fromEntries(
    found?.values.map(([name, text]) => [name, decoded(text)]) ?? []
  )
  const wanted = parts["game"] ?? url.searchParams.get("game") ?? ""
  const game = games.find(({ gameId }) => gameId === wanted) ?? null
  const nowMillis = yield* Clock.currentTimeMillis
  const asked: PageRequest = { ...reads, path, format, parts, query: url.searchParams, games, game, nowMillis }
  const says = (status: number, page: Page) =>
    document(status, { path, query: url.searchParams.get("q") ?? "", games, game, ...page })
  if (url.pathname === "/search/suggestions") {
    return offered(yield* suggestions(asked))
  }
  return yield* (found === null ? Effect.fail(noSuchPage) : found.page(asked)).pipe(
    Effect.flatMap((page) => (format === null ? Effect.succeed(says(200, page)) : Effect.fail(noFile))),
    Effect.catchTags({
      TakenAway: (taken) => fileAnswer(path, format ?? "csv", taken),
      NotThere: (error) => Effect.succeed(says(404, sentencePage("Not found", error.message))),
      BadRequest: (error) => Effect.succeed(says(400, sentencePage("Not understood", error.message)))
    })
  )
})

/** Letters of a game's name that every page shows. */
const maxNameLength = 100

const knownGames = (lake: LakeView) =>
  Effect.map(lake.kept("List the games", "select game_id, name from games order by name, game_id"), (rows) =>
    rows.map((row): KnownGame => ({
      gameId: String(row["game_id"]),
      name: shownText(String(row["name"]), maxNameLength)
    }))
  )

const noSuchPage = new NotThere({ what: "There is no such page", next: "Begin at the overview" })

const noFile = new NotThere({
  what: "This page is no such file",
  next: "Lists can be had as .csv and .json, differences as .html and .md, too"
})

/** A segment of a path; one that cannot be decoded matches nothing. */
const decoded = (text: string): string => {
  try {
    return decodeURIComponent(text)
  } catch {
    return ""
  }
}

const offered = (found: unknown) =>
  HttpServerResponse.text(JSON.stringify(found), {
    contentType: "application/json; charset=utf-8",
    headers: { "cache-control": "no-store" }
  })

const document = (status: number, frame: Frame) =>
  HttpServerResponse.text(layout(frame), {
    status,
    contentType: "text/html; charset=utf-8",
    headers: { "cache-control": "no-store" }
  })

const sentencePage = (title: string, says: string): Page => ({
  title,
  body: html`${pageHead("Cardlake", title)}
    <p class="empty">${says}. <a href="/">Overview</a></p>`
})

/** A fault that is not the visitor's is shown on the page, and logged with its paths on this machine. */
const failed = (url: URL, root: string, cause: Cause.Cause<unknown>) => {
  if (Cause.hasInterruptsOnly(cause)) return Effect.succeed(HttpServerResponse.empty({ status: 503 }))
  const error = Cause.squash(cause)
  const says = error instanceof Error ? error.message : String(error)
  const frame = {
    path: url.pathname,
    games: [],
    game: null,
    ...sentencePage("This page could not be made", withoutPaths(says, root))
  }
  return Effect.as(
    Effect.logError(shownText(`${url.pathname}: ${says}`)),
    document(error instanceof NoLake ? 503 : 500, frame)
  )
}
