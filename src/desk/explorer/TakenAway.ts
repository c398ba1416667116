import { Data, Effect } from "effect"
import { HttpServerResponse } from "effect/http"
import type { LakeError } from "../../feed/reading/LakeError.ts"
import { csvLine } from "../../store/lake/duckdb/writeSpreadsheet.ts"
import type { LakeView, Parameters, Row } from "./LakeReader.ts"
import type { FileFormat, PageRequest } from "./PageRequest.ts"

/** Ends the making of a page whose address asks for a file instead, with that file's text. */
export class TakenAway extends Data.TaggedError("TakenAway")<{
  /** What its name says beside the path. */
  readonly fileOf: string
  readonly text: Effect.Effect<string, LakeError>
}> {}

/** A query whose rows an address with `.csv` or `.json` asks for. */
interface Taking {
  readonly step: string
  readonly sql: string
  readonly parameters: Parameters
  /** Default: of the lake. */
  readonly rowsOf?: LakeView["rows"]
}

/** All rows of a page's list, if its address asks for them: nothing of the page is made then. Every value is exact. */
export const takenFrom = ({ fileOf, format, lake }: PageRequest, asked: Taking): Effect.Effect<void, TakenAway> => {
  const taking = { rowsOf: lake.rows, ...asked }
  return format === "csv"
    ? Effect.fail(new TakenAway({ fileOf, text: csvOf(taking) }))
    : format === "json"
      ? Effect.fail(new TakenAway({ fileOf, text: jsonOf(taking) }))
      : Effect.void
}

const csvOf = Effect.fnUntraced(function* ({ parameters, rowsOf, sql, step }: Required<Taking>) {
  const rows = yield* rowsOf(step, sql, parameters)
  // A list without rows has its head all the same.
  const [first] =
    rows.length > 0
      ? rows
      : yield* rowsOf(step, `select taken.* from (select 1) left join (${sql}) as taken on true`, parameters)
  const names = Object.keys(first ?? {})
  return [names, ...rows.map((row) => names.map((name) => textOf(row[name])))].map(csvLine).join("")
})

const textOf = (value: Row[string] | undefined): string | null => {
  if (value === null || value === undefined) return null
  return typeof value === "object" ? JSON.stringify(value) : String(value)
}

const jsonOf = ({ parameters, rowsOf, sql, step }: Required<Taking>): Effect.Effect<string, LakeError> =>
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

/** The file, under the name of the page's address and what it is of. */
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
