import { Data, Effect } from "effect"
import { HttpServerResponse } from "effect/http"
import type { LakeError } from "../../feed/reading/LakeError.ts"
import { cellText, csvLine } from "../../store/lake/duckdb/writeSpreadsheet.ts"
import type { LakeView, Parameters } from "./LakeReader.ts"
import type { FileFormat, PageRequest } from "./PageRequest.ts"

/** Ends the rendering of a page whose address requests a file, and carries the text of that file. */
export class FileAnswer extends Data.TaggedError("FileAnswer")<{
  /** The part of the file name that follows the path. */
  readonly fileOf: string
  readonly text: Effect.Effect<string, LakeError>
}> {}

/** A query whose rows an address with `.csv` or `.json` requests. */
interface FileQuery {
  readonly step: string
  readonly sql: string
  readonly parameters: Parameters
  /** The connection to query; default: the lake. */
  readonly rowsOf?: LakeView["rows"]
}

/** Fails with all rows of the list as a file if the address requests one, without rendering it. Values are exact. */
export const answerWithFile = (
  { fileOf, format, lake }: PageRequest,
  fileQuery: FileQuery
): Effect.Effect<void, FileAnswer> => {
  const taking = { rowsOf: lake.rows, ...fileQuery }
  return format === "csv"
    ? Effect.fail(new FileAnswer({ fileOf, text: formatCsv(taking) }))
    : format === "json"
      ? Effect.fail(new FileAnswer({ fileOf, text: formatJson(taking) }))
      : Effect.void
}

const formatCsv = Effect.fnUntraced(function* ({ parameters, rowsOf, sql, step }: Required<FileQuery>) {
  const rows = yield* rowsOf(step, sql, parameters)
  // A list without rows still has a header.
  const [first] =
    rows.length > 0
      ? rows
      : yield* rowsOf(step, `select taken.* from (select 1) left join (${sql}) as taken on true`, parameters)
  const names = Object.keys(first ?? {})
  return [names, ...rows.map((row) => names.map((name) => cellText(row[name])))].map(csvLine).join("")
})

const formatJson = ({ parameters, rowsOf, sql, step }: Required<FileQuery>): Effect.Effect<string, LakeError> =>
  Effect.map(
    rowsOf(step, `select to_json(taken)::varchar as line from (${sql}) as taken`, parameters),
    (rows) => `[\n${rows.map(({ line }) => String(line)).join(",\n")}\n]\n`
  )

const types: Readonly<Record<FileFormat, string>> = {
  csv: "text/csv",
  json: "application/json",
  html: "text/html",
  md: "text/markdown"
}

/** The file as a download, named after the page's address and the compared days. */
export const fileAnswer = (
  path: string,
  format: FileFormat,
  { fileOf, text }: { readonly fileOf: string; readonly text: string }
) => {
  const name = [...path.split("/").slice(2), fileOf].filter(Boolean).join("-") || "cardlake"
  return HttpServerResponse.text(text, {
    contentType: `${types[format]}; charset=utf-8`,
    headers: {
      "content-disposition": `attachment; filename="${encodeURIComponent(name)}.${format}"`,
      "cache-control": "no-store"
    }
  })
}
