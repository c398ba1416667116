import { Effect } from "effect"
import { join } from "node:path"
import { Lake, sqlText } from "../../../src/store/lake/duckdb/Lake.ts"
import { openLake } from "../../../src/store/lake/publish/openLake.ts"

/** A row without rounding: BIGINT and DECIMAL are strings, small integers numbers, instants in UTC. */
export type Row = Readonly<Record<string, unknown>>

/** Rows of a query over files, as DuckDB answers. */
export const fileRows = Effect.fnUntraced(function* (sql: string) {
  const { connection } = yield* (yield* Lake).session
  const reader = yield* Effect.promise(() => connection.runAndReadAll(sql))
  return reader.getRowObjectsJson() as ReadonlyArray<Row>
}, Effect.scoped)

/** Rows of a table in a snapshot's or a diff's folder, in the file's order. */
export const tableRows = (folder: string, table: string) =>
  fileRows(`from read_parquet(${sqlText(join(folder, `${table}.parquet`))}, hive_partitioning = false)`)

/** Rows of a query over the published `lake.duckdb`. */
export const lakeRows = Effect.fnUntraced(function* (sql: string) {
  const { connection } = yield* openLake
  const reader = yield* Effect.promise(() => connection.runAndReadAll(sql))
  return reader.getRowObjectsJson() as ReadonlyArray<Row>
}, Effect.scoped)
