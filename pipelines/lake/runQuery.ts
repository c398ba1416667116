import { Effect, Schema } from "effect"
import { formatAmount } from "../../src/store/diff/formatAmount.ts"
import { lockToLake } from "../../src/desk/explorer/console/lockToLake.ts"
import { refusal } from "../../src/desk/explorer/console/onlyReads.ts"
import { builtElsewhere, elsewhereText } from "../../src/store/lake/publish/madeFrom.ts"
import { Home } from "../../src/store/home/Home.ts"
import { type Session, sqlText, withoutNul, scratchSession } from "../../src/store/lake/duckdb/Lake.ts"
import { lakeStep, memoryLacking, type LakeError } from "../../src/feed/reading/LakeError.ts"
import { queryMemory } from "../../src/feed/rows/memoryBound.ts"
import { privateFolder } from "../../src/store/home/disk.ts"
import { openLake } from "../../src/store/lake/publish/openLake.ts"
import { cellText, writeSpreadsheet } from "../../src/store/lake/duckdb/writeSpreadsheet.ts"
import { Printing } from "../print/hints.ts"
import { printFile } from "../../src/night/run/printFile.ts"
import { ownSqlIfWhole } from "../../src/desk/own/Own.ts"
import { whyNoRows } from "./whyNoRows.ts"
import { textTable } from "../../src/night/observe/textTable.ts"

/** The query was not run. If DuckDB rejected it, the message shows the position. */
export class QueryRefused extends Schema.TaggedError<QueryRefused>()("QueryRefused", {
  reason: Schema.String,
  next: Schema.String
}) {
  override get message() {
    return `${this.reason}\n${this.next}`
  }
}

const seeTables = 'See the tables with: cardlake query "show tables"'
const allowFiles = "If you trust the query, allow it to read and write files: add --allow-files"
const openFile = "Check that the folder exists and that you may open the file"

const nextAfter = (reason: string): string => {
  if (reason.includes("disabled by configuration")) return allowFiles
  return reason.startsWith("IO Error: Cannot open file") ? openFile : seeTables
}

const askForLess =
  "Query fewer columns, products or nights, or give the container more memory: a query may use half of it"

const asQueryError = (error: LakeError) => {
  const errorText = error.cause instanceof Error ? error.cause.message : error.message
  const memory = memoryLacking(errorText)
  if (memory !== null)
    return new QueryRefused({ reason: `The query needs more memory than ${memory}`, next: askForLess })
  const reason = errorText
    .replace("Failed to extract statements: ", "")
    .replaceAll(/^\t/gm, "    ")
    .replaceAll("\t", " ")
  return new QueryRefused({ reason, next: nextAfter(reason) })
}

export interface QueryBounds {
  /** True if the query may read and write any file, and use all of DuckDB. */
  readonly allowFiles: boolean
}

/** Opens the lake. If files are allowed, a query over files alone needs no lake. */
const openIfNeeded = (allowFiles: boolean) =>
  Effect.map(openLake, (session) => ({ session, missing: null })).pipe(
    Effect.catchTag("NoLake", (missing) =>
      Effect.gen(function* () {
        if (!allowFiles) return yield* missing
        const session = yield* scratchSession
        yield* session.run("Spill elsewhere", `set temp_directory = ${sqlText(yield* privateFolder)}`)
        return { session, missing }
      })
    )
  )

/**
 * Opens a session for one query. Unless files are allowed, it reaches only the lake and the result's `file`. The
 * restriction applies to DuckDB of the whole process.
 */
const openFor = Effect.fnUntraced(function* (sql: string, bounds: QueryBounds, file: string | null = null) {
  const { missing, session } = yield* openIfNeeded(bounds.allowFiles)
  yield* session.run("Limit the memory", `set memory_limit = '${queryMemory.memory_limit}'`)
  const built = missing === null ? yield* builtElsewhere(session) : null
  const { root } = yield* Home
  const cardsSql = missing === null ? yield* ownSqlIfWhole : null
  if (cardsSql !== null) yield* session.run("Open your own cards", cardsSql)
  // Restrict access before parsing: DuckDB reads files to parse some statements.
  if (!bounds.allowFiles) {
    yield* lakeStep("Lock DuckDB", () => lockToLake(session.connection, root, { files: file === null ? [] : [file] }))
  }
  yield* oneStatement(session, sql)
  if (!bounds.allowFiles) {
    const reason = yield* lakeStep("Describe the query", () => refusal(session.connection, sql, true))
    if (reason !== null) return yield* new QueryRefused({ reason, next: allowFiles })
  }
  if (bounds.allowFiles && built !== null) yield* Effect.logWarning(elsewhereText(built))
  yield* Effect.mapError(parseQuery(session, sql), (error) =>
    missing !== null && error.reason.startsWith("Catalog Error")
      ? missing
      : built !== null && error.reason.includes(built)
        ? new QueryRefused({ ...error, next: elsewhereText(built) })
        : error
  )
  return session
})

const oneStatement = Effect.fnUntraced(function* ({ connection }: Session, sql: string) {
  if (/^[\s;]*$/.test(sql)) return yield* new QueryRefused({ reason: "The query is empty", next: seeTables })
  const { count } = yield* Effect.mapError(
    lakeStep("Query", () => connection.extractStatements(sql)),
    asQueryError
  )
  if (count !== 1) {
    return yield* new QueryRefused({ reason: `Give one query, not ${count}`, next: seeTables })
  }
})

/** Parses the user's query alone, so that DuckDB's errors refer to its text. */
const parseQuery = ({ connection }: Session, sql: string) =>
  Effect.mapError(
    lakeStep("Query", async () => (await connection.prepare(sql)).destroySync()),
    asQueryError
  )

/** Max rows on a terminal. Files have no limit. */
const rowsShown = 200

/** Returns the first {@link rowsShown} rows of the result as aligned columns. */
export const queryTable = Effect.fnUntraced(function* (sql: string, bounds: QueryBounds, asLines?: boolean) {
  const session = yield* openFor(sql, bounds)
  const reader = yield* Effect.mapError(
    lakeStep("Query", () => session.connection.streamAndReadUntil(sql, rowsShown + 1)),
    asQueryError
  )
  const names = reader.columnNames()
  const rows = reader
    .getRowsJson()
    .slice(0, rowsShown)
    .map((row) => row.map(cellText))
  const more =
    reader.currentRowCount > rowsShown
      ? `\nThe first ${rowsShown} rows. All of them: --csv, --json or --parquet FILE`
      : ""
  const why = rows.length === 0 ? yield* whyNoRows(session, sql) : []
  const { hint } = yield* Printing
  return [
    textTable(names, rows, { asLines }),
    `${formatAmount(rows.length, "row")}${more}`,
    ...why.map((one) => hint(one))
  ].join("\n")
}, Effect.scoped)

/** Rewrites a statement for `COPY`: removes the semicolon, and wraps `show tables` and the like in a SELECT. */
const toCopyable = (sql: string): string => {
  const query = sql.replace(/;\s*$/, "")
  return /^\s*(show|describe|desc|summarize)\b/i.test(query) ? `from (${query}\n)` : query
}

const formats = {
  csv: "(format csv, header)",
  json: "(format json, array true)",
  parquet: "(format parquet, compression zstd)",
  copy: String.raw`(format csv, header false, delimiter '\t', quote '', escape '', nullstr '\N')`
}
type Format = keyof typeof formats | "spreadsheet"

/** Formats a cell for Postgres' COPY, where a backslash begins every escape. */
const copyCell = String.raw`create or replace temp macro copy_cell(cell) as case
  when regexp_matches(cell::varchar, '[\\\t\n\r\x00]')
  then replace(replace(replace(replace(${withoutNul("cell::varchar")}, '\', '\\'), chr(9), '\t'), chr(10), '\n'), chr(13), '\r')
  else cell::varchar end`

/** Writes the result to a file; returns the row count. */
export const writeQuery = Effect.fnUntraced(function* (
  sql: string,
  { file, format }: { readonly file: string; readonly format: Format },
  bounds: QueryBounds
) {
  const session = yield* openFor(sql, bounds, file)
  const query = toCopyable(sql)
  if (format === "spreadsheet") return yield* Effect.mapError(writeSpreadsheet(session, query, file), asQueryError)
  if (format === "copy") yield* session.run("Prepare the cells", copyCell)
  const rows = format === "copy" ? `select copy_cell(columns(*)) from (${query}\n)` : query
  const [row] = yield* Effect.mapError(
    session.rows("Query", `copy (${rows}\n) to ${sqlText(file)} ${formats[format]}`),
    asQueryError
  )
  return Number(row?.["Count"] ?? 0)
}, Effect.scoped)

export const printQuery = (sql: string, format: Exclude<Format, "parquet">, bounds: QueryBounds) =>
  printFile((file) => writeQuery(sql, { file, format }, bounds))
