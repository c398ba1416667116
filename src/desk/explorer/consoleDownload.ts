import { Effect, Stream } from "effect"
import { HttpServerResponse } from "effect/http"
import { Home } from "../../store/home/Home.ts"
import { ownSqlIfWhole } from "../own/ownSql.ts"
import { downloadConsole, type DownloadFormat } from "./console/askConsole.ts"

const formats: ReadonlyArray<DownloadFormat> = ["csv", "spreadsheet", "json"]

/** What a request asks of a query as a file: a form of the console, or an address that a page of this server led to. */
export const fileAsked = (url: URL, form: URLSearchParams | null, isLedHere: boolean): URLSearchParams | null => {
  if (form !== null) return url.pathname === "/console/download" ? form : null
  const ending = /^\/console\.(csv|json)$/.exec(url.pathname)?.[1]
  if (ending === undefined || !isLedHere || (url.searchParams.get("sql") ?? "").trim() === "") return null
  const asked = new URLSearchParams(url.search)
  if (ending === "json" || asked.get("format") !== "spreadsheet") asked.set("format", ending)
  return asked
}

/**
 * All rows of a console query as a file. If the query fails halfway, the file is cut off: no part passes for the whole.
 */
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
