import { Effect, Schema } from "effect"
import type { Session } from "../src/lake/Lake.ts"
import { sqlText } from "../src/lake/sqlText.ts"
import { lakeStep, type LakeError } from "../src/lake/LakeError.ts"
import { openLake } from "../src/lake/openLake.ts"
import { printFile } from "./printFile.ts"
import { grouped, textTable } from "./textTable.ts"

/** DuckDB did not take the query; its own words say where. */
export class QueryRefused extends Schema.TaggedError<QueryRefused>()("QueryRefused", { reason: Schema.String }) {
  override get message() {
    return `${this.reason}\nSee the tables with: cardlake query "show tables"`
  }
}

const asQueryError = (error: LakeError) =>
  new QueryRefused({
    reason: (error.cause instanceof Error ? error.cause.message : error.message).replace(
      "Failed to extract statements: ",
      ""
    )
  })

/** One statement that DuckDB understands; its complaints are about the user's words and not about ours around them. */
const understood = Effect.fnUntraced(function* (session: Session, sql: string) {
  if (/^[\s;]*$/.test(sql)) return yield* new QueryRefused({ reason: "The query is empty" })
  const count = yield* Effect.mapError(
    lakeStep("Query", async () => {
      const statements = await session.connection.extractStatements(sql)
      if (statements.count === 1) (await statements.prepare(0)).destroySync()
      return statements.count
    }),
    asQueryError
  )
  if (count !== 1) return yield* new QueryRefused({ reason: `One query is asked for, these are ${count}` })
})

/** Rows a terminal shows; a file has no bound. */
const rowsShown = 200

/** The result as aligned columns, its first {@link rowsShown} rows. */
export const queryTable = Effect.fnUntraced(function* (sql: string) {
  const session = yield* openLake
  yield* understood(session, sql)
  const reader = yield* Effect.mapError(
    lakeStep("Query", () => session.connection.streamAndReadUntil(sql, rowsShown + 1)),
    asQueryError
  )
  const names = reader.columnNames()
  const rows = reader
    .getRowsJson()
    .slice(0, rowsShown)
    .map((row) => row.map(cell))
  const more =
    reader.currentRowCount > rowsShown
      ? `\nThe first ${rowsShown} rows. All of them: --csv, --json or --parquet FILE`
      : ""
  return `${textTable(names, rows)}\n${grouped(rows.length)} row${rows.length === 1 ? "" : "s"}${more}`
}, Effect.scoped)

const cell = (value: unknown): string | null => {
  if (value === null || value === undefined) return null
  return typeof value === "object" ? JSON.stringify(value) : String(value)
}

/** A query that `copy` takes: without its semicolon, and `show tables` and its like as the query they stand for. */
const copied = (sql: string): string => {
  const query = sql.replace(/;\s*$/, "")
  return /^\s*(show|describe|desc|summarize)\b/i.test(query) ? `from (${query}\n)` : query
}

const copy = Effect.fnUntraced(function* (session: Session, sql: string, file: string, format: keyof typeof formats) {
  yield* understood(session, sql)
  const [row] = yield* Effect.mapError(
    session.rows("Query", `copy (${copied(sql)}\n) to ${sqlText(file)} ${formats[format]}`),
    asQueryError
  )
  return Number(row?.["Count"] ?? 0)
})

const formats = {
  csv: "(format csv, header)",
  json: "(format json, array true)",
  parquet: "(format parquet, compression zstd)"
}

/** Writes the result to a file; answers the number of rows. */
export const writeQuery = Effect.fnUntraced(function* (sql: string, file: string, format: keyof typeof formats) {
  return yield* copy(yield* openLake, sql, file, format)
}, Effect.scoped)

/** Prints the result to standard output, of any size. */
export const printQuery = Effect.fnUntraced(function* (sql: string, format: "csv" | "json") {
  const session = yield* openLake
  yield* printFile((file) => copy(session, sql, file, format))
}, Effect.scoped)
