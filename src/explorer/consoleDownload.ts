import { Effect, Stream } from "effect"
import { HttpServerResponse } from "effect/http"
import { Home } from "../home/Home.ts"
import { downloadConsole, type DownloadFormat } from "./console/askConsole.ts"

const formats: ReadonlyArray<DownloadFormat> = ["csv", "spreadsheet", "json"]

/**
 * All rows of a console query as a file. If the query fails halfway, the file is cut off: no part passes for the whole.
 */
export const consoleDownload = Effect.fnUntraced(function* (form: URLSearchParams) {
  const home = yield* Home
  const format = formats.find((one) => one === form.get("format")) ?? "csv"
  const rows = downloadConsole({ lake: home.lake, sql: form.get("sql") ?? "" }, format)
  return HttpServerResponse.stream(Stream.encodeText(rows), {
    contentType: format === "json" ? "application/json; charset=utf-8" : "text/csv; charset=utf-8",
    headers: {
      "content-disposition": `attachment; filename="result.${format === "json" ? "json" : "csv"}"`,
      "cache-control": "no-store"
    }
  })
})
