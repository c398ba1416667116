import { readFileSync } from "node:fs"
import { text } from "node:stream/consumers"
import { Effect, Schema } from "effect"
import { amountOf } from "../src/store/diff/amountOf.ts"
import { outsideHomes } from "../src/store/home/OutputInHome.ts"
import { printQuery, queryTable, writeQuery } from "./lake/runQuery.ts"
import { printAnswer, printRows, stopWith, wrongUsage } from "./print/printAnswer.ts"
import type * as specs from "./specs/reading.ts"
import type { Asked } from "./specs/spec.ts"

/** The query is from the command line, a file, or standard input, which is `-` in place of either. */
type AskedQuery = Asked<typeof specs.query>

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

/** The text of a query; standard input is read to its end. */
const queryText = ({ file, sql }: Pick<AskedQuery, "file" | "sql">) => {
  const named = file ?? "-"
  if (sql !== null && sql !== "-") return Effect.succeed(sql)
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
const formatNamed = (file: string): "csv" | "json" | "parquet" | null => {
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
const queryFault = (asked: AskedQuery): string | null => {
  const { copy, csv, file, json, line, output, parquet, spreadsheet, sql } = asked
  if (sql === null && file === null)
    return "Missing required argument: sql. Give a query, a file of one with --file FILE, or - for standard input"
  if (sql !== null && file !== null) return "Give a query or --file FILE, not both"
  const toFile = parquet !== null || output !== null
  // With a file, --json is about what is printed of it.
  const forms = [json && !toFile, csv && output === null, copy, line, parquet !== null, output !== null]
  if (forms.filter(Boolean).length > 1)
    return "Choose one of --json, --csv, --copy, --line, --parquet FILE and --output FILE"
  const named = output !== null ? formatNamed(output) : null
  if (spreadsheet && !csv && named !== "csv") return "--spreadsheet is for CSV. Add --csv"
  if (csv && output !== null && named !== "csv") return `--csv writes CSV, but ${output} has another format's name`
  if (output !== null && named === null)
    return `--output ${output}: the name says no format. Let it end with .csv, .json or .parquet`
  return parquet !== null ? nameFault(parquet) : null
}

/** Asks the lake. Every figure is printed exactly as the lake holds it. */
export const query = Effect.fnUntraced(
  function* (asked: AskedQuery) {
    const fault = queryFault(asked)
    if (fault !== null) return yield* wrongUsage(fault)
    const { allowFiles, copy, csv, json, line, output, parquet, spreadsheet } = asked
    const sql = yield* queryText(asked)
    const file = output ?? parquet
    if (file !== null) {
      yield* outsideHomes(file)
      const format = spreadsheet ? "spreadsheet" : output !== null ? (formatNamed(file) ?? "csv") : "parquet"
      const rows = yield* writeQuery(sql, { file, format }, { allowFiles })
      yield* printAnswer(json, { file, rows }, ({ file, rows }) => `${amountOf(rows, "row")} in ${file}`)
    } else if (json || csv || copy) {
      const format = json ? "json" : copy ? "copy" : spreadsheet ? "spreadsheet" : "csv"
      yield* printQuery(sql, format, { allowFiles })
    } else {
      yield* printRows(yield* queryTable(sql, { allowFiles }, line))
    }
  },
  // DuckDB points below the query at what it does not understand.
  Effect.catchTag("QueryRefused", ({ message }) => stopWith(1, "QueryRefused", ...message.split("\n")))
)
