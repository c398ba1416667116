import { contractVersion } from "../../../src/feed/schema/snapshotTables.ts"
import { nightlyRows, nightlyTables } from "../../../src/store/lake/history/nightlyTables.ts"
import { assert } from "@effect/vitest"
import { Effect } from "effect"
import { join } from "node:path"
import { Lake, sqlText } from "../../../src/store/lake/duckdb/Lake.ts"
import type { Home } from "../../../src/store/home/Home.ts"
import { openLake } from "../../../src/store/lake/publish/openLake.ts"
import { readCases } from "../../support/readCases.ts"
import type { Test } from "../../support/suite.ts"

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

/** Rows of table `changes` of a night's folder, ordered by item and field. */
export const changesIn = (folder: string) => {
  const rows = nightlyTables.flatMap((table) =>
    table.name === "changes" ? [nightlyRows(table, [{ folder, contractVersion }])] : []
  )
  return fileRows(`from (${rows.join()}) order by entity, id, field nulls first`)
}

/** Rows of a query over the published `lake.duckdb`. */
export const lakeRows = Effect.fnUntraced(function* (sql: string) {
  const { connection } = yield* openLake
  const reader = yield* Effect.promise(() => connection.runAndReadAll(sql))
  return reader.getRowObjectsJson() as ReadonlyArray<Row>
}, Effect.scoped)

/** Rows as a person writes them: their values with blanks between. */
export const lines = (rows: ReadonlyArray<Row>): ReadonlyArray<string> =>
  rows.map((row) => Object.values(row).map(String).join(" "))

/** A test of each of these questions to the suite's lake. */
export const asks = (it: Test<Lake | Home>, answers: string): void => {
  for (const [name, sql, rows] of readCases(answers))
    it(name, function* () {
      assert.deepStrictEqual(lines(yield* lakeRows(sql)), rows)
    })
}
