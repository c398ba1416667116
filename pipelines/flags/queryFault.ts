import * as Option from "effect/Option"
import type { QuerySource } from "./queryText.ts"

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
