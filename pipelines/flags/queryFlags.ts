import * as Option from "effect/Option"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import type * as Command from "effect/cli/Command"
import * as Flag from "effect/cli/Flag"
import { readFileSync } from "node:fs"
import { text } from "node:stream/consumers"
import { home, json, line, optionalArgument, optionalText, spreadsheet, switchFlag, textFlag } from "./sharedFlags.ts"

/** The file of a query is not there, or may not be read. */
class QueryUnreadable extends Schema.TaggedError<QueryUnreadable>()("QueryUnreadable", {
  file: Schema.String,
  cause: Schema.String
}) {
  override get message() {
    return `The query in ${this.file} cannot be read (${this.cause}). Name a file that is there and that you may open`
  }
}

const whyOf = (cause: unknown): string => (cause instanceof Error ? cause.message : String(cause))

/** Some editors put it before the text. */
const withoutMark = (text: string): string => text.replace(/^\uFEFF/, "")

/** What `cardlake query` takes. */
export const queryFlags = {
  sql: optionalArgument("sql", "One SQL query over the lake's tables; - reads it from standard input"),
  file: textFlag("file", "FILE").pipe(
    Flag.withAlias("f"),
    Flag.withDescription("Read the query from a file; - is standard input"),
    Flag.optional
  ),
  home,
  json,
  csv: switchFlag("csv", "Print CSV with a header line, every text exactly as the feed has it"),
  copy: switchFlag("copy", "Print rows as Postgres' COPY reads them: its text format, without a header line"),
  line,
  spreadsheet,
  output: textFlag("output", "FILE").pipe(
    Flag.withAlias("o"),
    Flag.withDescription("Write the result to a file, as its name ends: .csv, .json or .parquet"),
    Flag.optional
  ),
  parquet: optionalText("parquet", "FILE", "Write the result to a Parquet file of any name"),
  allowFiles: switchFlag("allow-files", "Let the query read and write files, and do whatever else DuckDB can")
}

/** The flags of a query as they were given. The query is from the command line, a file, or standard input, which is `-` in place of either. */
type Asked = Command.Command.Config.Infer<typeof queryFlags>

/** The text of a query; standard input is read to its end. */
export const queryText = ({ file, sql }: Pick<Asked, "file" | "sql">) => {
  const named = Option.getOrElse(file, () => "-")
  if (Option.isSome(sql) && sql.value !== "-") return Effect.succeed(sql.value)
  const read =
    named === "-"
      ? Effect.tryPromise({ try: () => text(process.stdin), catch: whyOf })
      : Effect.try({ try: () => readFileSync(named, "utf8"), catch: whyOf })
  return Effect.mapBoth(read, {
    onSuccess: withoutMark,
    onFailure: (cause) => new QueryUnreadable({ file: named === "-" ? "standard input" : named, cause })
  })
}

/** As what a file is written, by the ending of its name; null: its name does not say. */
export const formatNamed = (file: string): "csv" | "json" | "parquet" | null => {
  const ending = /\.(\w+)$/.exec(file)?.[1]?.toLowerCase()
  return ending === "csv" || ending === "json" || ending === "parquet" ? ending : null
}

/** Why a file cannot be for Parquet: its name promises another format. Null: it can. */
const nameFault = (file: string): string | null => {
  const [ending, format = ""] = /\.(csv|tsv|txt|json|jsonl|ndjson|xlsx?)(?:\.gz)?$/i.exec(file) ?? []
  if (ending === undefined) return null
  const named = `--parquet writes Parquet, but ${file} has another format's name. Name it ${file.slice(0, -ending.length)}.parquet`
  return ending === ".csv" || ending === ".json" ? `${named}, or replace --parquet by: --${format} > ${file}` : named
}

/** Why what was asked of `cardlake query` does not go together, with the next step; null: it does. */
export const queryFault = (asked: Asked): string | null => {
  const { copy, csv, file, json, line, output, parquet, spreadsheet, sql } = asked
  if (Option.isNone(sql) && Option.isNone(file))
    return "Missing required argument: sql. Give a query, a file of one with --file FILE, or - for standard input"
  if (Option.isSome(sql) && Option.isSome(file)) return "Give a query or --file FILE, not both"
  const toFile = Option.isSome(parquet) || Option.isSome(output)
  // With a file, --json is about what is printed of it.
  const forms = [
    json && !toFile,
    csv && !Option.isSome(output),
    copy,
    line,
    Option.isSome(parquet),
    Option.isSome(output)
  ]
  if (forms.filter(Boolean).length > 1)
    return "Choose one of --json, --csv, --copy, --line, --parquet FILE and --output FILE"
  const named = Option.isSome(output) ? formatNamed(output.value) : null
  if (spreadsheet && !csv && named !== "csv") return "--spreadsheet is for CSV. Add --csv"
  if (csv && Option.isSome(output) && named !== "csv")
    return `--csv writes CSV, but ${output.value} has another format's name`
  if (Option.isSome(output) && named === null)
    return `--output ${output.value}: the name says no format. Let it end with .csv, .json or .parquet`
  return Option.isSome(parquet) ? nameFault(parquet.value) : null
}
