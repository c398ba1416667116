import { text } from "node:stream/consumers"
import { Effect } from "effect"
import { onDisk } from "../src/feed/disk/Disk.ts"
import { formatAmount } from "../src/store/diff/formatAmount.ts"
import { outputFile } from "../src/store/home/OutputInHome.ts"
import { printQuery, queryTable, writeQuery } from "./lake/runQuery.ts"
import { printAnswer, printRows, stopWith, wrongUsage } from "./print/printAnswer.ts"
import type * as specs from "./specs/reading.ts"
import { Fault } from "../src/feed/contract/Fault.ts"

/** The arguments of a query. Its text comes from the command line, a file, or standard input (`-`). */
type QueryFlags = typeof specs.query.Input

const errorText = (cause: unknown): string => (cause instanceof Error ? cause.message : String(cause))

/** Removes the byte order mark that some editors write. */
const withoutMark = (text: string): string => text.replace(/^\uFEFF/, "")

/** Returns the text of a query. Standard input is read to its end. */
const queryText = ({ file, sql }: Pick<QueryFlags, "file" | "sql">) => {
  const named = file ?? "-"
  if (sql !== null && sql !== "-") return Effect.succeed(sql)
  const read =
    named === "-"
      ? Effect.tryPromise({ try: () => text(process.stdin), catch: errorText })
      : onDisk((disk) => disk.readText(named), errorText)
  return Effect.mapBoth(read, {
    onSuccess: withoutMark,
    onFailure: (cause) =>
      new Fault(
        "QueryUnreadable",
        `The query in ${named === "-" ? "standard input" : named} cannot be read (${cause}). Name a file that exists and that you may open`
      )
  })
}

/** Returns the format for a file name's extension; null if it is unknown. */
const formatNamed = (file: string): "csv" | "json" | "parquet" | null => {
  const ending = /\.(\w+)$/.exec(file)?.[1]?.toLowerCase()
  return ending === "csv" || ending === "json" || ending === "parquet" ? ending : null
}

/** Explains why a file name does not suit Parquet: its extension is of another format. Null if it does. */
const nameFault = (file: string): string | null => {
  const [ending, format = ""] = /\.(csv|tsv|txt|json|jsonl|ndjson|xlsx?)(?:\.gz)?$/i.exec(file) ?? []
  if (ending === undefined) return null
  const named = `--parquet writes Parquet, but ${file} has the extension of another format. Use the extension .parquet`
  return ending === ".csv" || ending === ".json" ? `${named}, or replace --parquet by: --${format} > ${file}` : named
}

/** Explains why these flags of `cardlake query` cannot be combined, with the next step; null if they can. */
const queryFault = (flags: QueryFlags): string | null => {
  const { copy, csv, file, json, line, output, parquet, spreadsheet, sql } = flags
  if (sql === null && file === null)
    return "Missing required argument: sql. Give a query, a file of one with --file FILE, or - for standard input"
  if (sql !== null && file !== null) return "Give a query or --file FILE, not both"
  const toFile = parquet !== null || output !== null
  // With a file, --json concerns the printed summary.
  const forms = [json && !toFile, csv && output === null, copy, line, parquet !== null, output !== null]
  if (forms.filter(Boolean).length > 1)
    return "Choose one of --json, --csv, --copy, --line, --parquet FILE and --output FILE"
  const named = output !== null ? formatNamed(output) : null
  if (spreadsheet && !csv && named !== "csv") return "--spreadsheet is for CSV. Add --csv"
  if (csv && output !== null && named !== "csv") return `--csv writes CSV, but the extension of ${output} is not .csv`
  if (output !== null && named === null) return `--output ${output} has no known ending. Use .csv, .json or .parquet`
  return parquet !== null ? nameFault(parquet) : null
}

export const query = Effect.fnUntraced(
  function* (flags: QueryFlags) {
    const fault = queryFault(flags)
    if (fault !== null) return yield* wrongUsage(fault)
    const { allowFiles, copy, csv, json, line, output, parquet, spreadsheet } = flags
    const sql = yield* queryText(flags)
    const file = output ?? parquet
    if (file !== null) {
      yield* outputFile(file)
      const format = spreadsheet ? "spreadsheet" : output !== null ? (formatNamed(file) ?? "csv") : "parquet"
      const rows = yield* writeQuery(sql, { file, format }, { allowFiles })
      yield* printAnswer(json, { file, rows }, ({ file, rows }) => `${formatAmount(rows, "row")} in ${file}`)
    } else if (json || csv || copy) {
      const format = json ? "json" : copy ? "copy" : spreadsheet ? "spreadsheet" : "csv"
      yield* printQuery(sql, format, { allowFiles })
    } else {
      yield* printRows(yield* queryTable(sql, { allowFiles }, line))
    }
  },
  // DuckDB marks the syntax error below the query.
  Effect.catchTag("QueryRefused", ({ message }) => stopWith(1, "QueryRefused", ...message.split("\n")))
)
