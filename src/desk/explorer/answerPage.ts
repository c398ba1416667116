import { ByteSize, Cause, Effect, Option, Stream } from "effect"
import { HttpIncomingMessage, HttpServerRequest, HttpServerResponse } from "effect/http"
import { shownText } from "../../feed/contract/shownText.ts"
import { isLedHere } from "../../feed/guard/classifySender.ts"
import { Home } from "../../store/home/Home.ts"
import { NoLake } from "../../store/lake/publish/openLake.ts"
import { assetAt } from "./assets.ts"
import type { DiffReader } from "./DiffReader.ts"
import type { LakeReader } from "./LakeReader.ts"
import { layout } from "./layout.ts"
import { readRequest, knownGames, makePage, sentencePage } from "./makePage.ts"
import { pictureAnswer, type Pictures } from "./pictures/Pictures.ts"
import { fileAnswer } from "./FileAnswer.ts"
import { suggestions } from "./search/findProducts.ts"
import { withoutPaths } from "./withoutPaths.ts"
import { ownSqlIfWhole } from "../own/Own.ts"
import { downloadConsole, type DownloadFormat } from "./console/askConsole.ts"

interface Readers {
  readonly lake: LakeReader
  readonly differences: DiffReader
  /** Null = pictures are disabled. */
  readonly pictures: Pictures["Service"] | null
  readonly program: string
}

/** Answers a request with a file or a page. Status 400 and 404 report a fault of the request, 500 an internal one. */
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
  const led = isLedHere(request)
  const file = fileQuery(url, form.value, led)
  if (file !== null) return yield* consoleDownload(file)
  const page = Effect.gen(function* () {
    const lake = yield* readers.lake.view
    const picture = readers.pictures === null ? null : pictureAnswer(url.pathname, lake, readers.pictures)
    if (picture !== null) return yield* picture
    const rest = {
      lake,
      differences: readers.differences,
      form: form.value,
      isLedHere: led,
      hasPictures: readers.pictures !== null,
      program: readers.program,
      copy: null,
      hasOwn: true
    }
    const found = yield* readRequest(url, { ...rest, games: yield* knownGames(lake) })
    if (url.pathname === "/search/suggestions") {
      return document(200, JSON.stringify(yield* suggestions(found.request)), "application/json")
    }
    const { fileOf, format, status, text } = yield* makePage(found)
    return format === null ? document(status, text) : fileAnswer(found.request.path, format, { fileOf, text })
  })
  // The server runs its handlers to their end, so an abandoned request is skipped here.
  const { root } = yield* Home
  return yield* Effect.catchCause(Effect.interruptible(Effect.scoped(page)), (cause) => failed(url, root, cause))
})

const sentForm = (request: HttpServerRequest.HttpServerRequest) =>
  Effect.map(
    Effect.provideService(request.text, HttpIncomingMessage.MaxBodySize, ByteSize.megabytes(1)),
    (text) => new URLSearchParams(text)
  )

const document = (status: number, text: string, type = "text/html") =>
  HttpServerResponse.text(text, {
    status,
    contentType: `${type}; charset=utf-8`,
    headers: { "cache-control": "no-store" }
  })

/** Shows an internal fault on the page without local paths, and logs it with them. */
const failed = (url: URL, root: string, cause: Cause.Cause<unknown>) => {
  if (Cause.hasInterruptsOnly(cause)) return Effect.succeed(HttpServerResponse.empty({ status: 503 }))
  const error = Cause.squash(cause)
  const says = error instanceof Error ? error.message : String(error)
  const frame = {
    path: url.pathname,
    games: [],
    game: null,
    copy: null,
    hasOwn: true,
    ...sentencePage("This page could not be rendered", withoutPaths(says, root))
  }
  return Effect.as(
    Effect.logError(shownText(`${url.pathname}: ${says}`)),
    document(error instanceof NoLake ? 503 : 500, layout(frame))
  )
}

const formats: ReadonlyArray<DownloadFormat> = ["csv", "spreadsheet", "json"]

/** Returns the parameters of a console query to download: from the form, or from an address on a page of this server. */
export const fileQuery = (url: URL, form: URLSearchParams | null, isLedHere: boolean): URLSearchParams | null => {
  if (form !== null) return url.pathname === "/console/download" ? form : null
  const ending = /^\/console\.(csv|json)$/.exec(url.pathname)?.[1]
  if (ending === undefined || !isLedHere || (url.searchParams.get("sql") ?? "").trim() === "") return null
  const parameters = new URLSearchParams(url.search)
  if (ending === "json" || parameters.get("format") !== "spreadsheet") parameters.set("format", ending)
  return parameters
}

/** Returns all rows of a console query as a file. If the query fails midway, the download aborts visibly. */
export const consoleDownload = Effect.fnUntraced(function* (form: URLSearchParams) {
  const home = yield* Home
  const format = formats.find((one) => one === form.get("format")) ?? "csv"
  const rows = downloadConsole({ lake: home.lake, own: yield* ownSqlIfWhole, sql: form.get("sql") ?? "" }, format)
  return HttpServerResponse.stream(Stream.encodeText(rows), {
    contentType: format === "json" ? "application/json; charset=utf-8" : "text/csv; charset=utf-8",
    headers: {
      "content-disposition": `attachment; filename="result.${format === "json" ? "json" : "csv"}"`,
      "cache-control": "no-store"
    }
  })
})
