import * as Option from "effect/Option"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import { readFileSync } from "node:fs"
import { text } from "node:stream/consumers"

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

/** Where a query is from: the command line, a file, or standard input, which is `-` in place of either. */
export interface QuerySource {
  readonly sql: Option.Option<string>
  readonly file: Option.Option<string>
}

/** The text of a query; standard input is read to its end. */
export const queryText = ({ file, sql }: QuerySource) => {
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

/** How `cardlake query` was asked to answer. */
interface Asked extends QuerySource {
  readonly json: boolean
  readonly csv: boolean
  readonly copy: boolean
  readonly line: boolean
  readonly spreadsheet: boolean
  readonly parquet: Option.Option<string>
  readonly output: Option.Option<string>
}

/** What a result can be written as, by the ending of its file's name. */
const endings = { csv: "csv", json: "json", parquet: "parquet" } as const

type Format = (typeof endings)[keyof typeof endings]

/** As what a file is written, by its name; null: its name does not say. */
export const formatNamed = (file: string): Format | null => {
  const ending = /\.(csv|json|parquet)$/i.exec(file)?.[1]?.toLowerCase()
  return ending === undefined ? null : endings[ending as Format]
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
  const isCsv = csv || (Option.isSome(output) && formatNamed(output.value) === "csv")
  if (spreadsheet && !isCsv) return "--spreadsheet is for CSV. Add --csv"
  if (csv && !isCsvOutput(output))
    return `--csv writes CSV, but ${Option.getOrElse(output, () => "")} has another format's name`
  if (Option.isSome(output) && formatNamed(output.value) === null)
    return `--output ${output.value}: the name says no format. Let it end with .csv, .json or .parquet`
  return Option.isSome(parquet) ? nameFault(parquet.value) : null
}

const isCsvOutput = (output: Option.Option<string>): boolean =>
  Option.isNone(output) || formatNamed(output.value) === "csv"
