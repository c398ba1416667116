import { join } from "node:path"
import { Effect } from "effect"
import type { Session } from "../duckdb/Lake.ts"
import { parquetFormat } from "../duckdb/parquetFormat.ts"
import { sqlText } from "../duckdb/sqlText.ts"
import type { QualityCheck } from "../snapshot/Manifest.ts"
import { snapshotTables } from "./snapshotTables.ts"
import type { TableFile } from "../duckdb/tableFile.ts"

/** Writes a table's view as Parquet and lets later tables and checks read the file instead. */
const writeTable = Effect.fnUntraced(function* (session: Session, table: TableFile, folder: string) {
  const file = join(folder, `${table.name}.parquet`)
  yield* session.run(`Shape ${table.name}`, table.sql)
  yield* session.run(`Write ${table.name}.parquet`, `copy (from ${table.name}) to ${sqlText(file)} ${parquetFormat()}`)
  yield* session.run(
    `Open ${table.name}.parquet`,
    `create or replace view ${table.name} as from read_parquet(${sqlText(file)}, hive_partitioning = false)`
  )
  return [table.name, file] as const
})

/** Writes every table of a snapshot into `folder`, in order. The session's stage holds the raw tables. */
export const writeTables = (session: Session, folder: string) =>
  Effect.forEach(snapshotTables, (table) => writeTable(session, table, folder))

const unique = /^\((.+)\) is unique$/

/** Runs the checks of a table's header over what was written; a null is never a violation. */
export const checkTable = Effect.fnUntraced(function* (session: Session, table: TableFile) {
  const counts = table.checks.map((check, index) => {
    const key = unique.exec(check)?.[1]
    return key === undefined
      ? `(select count(*) from ${table.name} where not (${check})) as c${index}`
      : `(select count(*) from (select ${key} from ${table.name} group by all having count(*) > 1)) as c${index}`
  })
  const [row] = yield* session.rows(
    `Check ${table.name}`,
    `select ${["count(*) as n", ...counts].join(", ")} from ${table.name}`
  )
  return {
    rows: Number(row?.["n"]),
    checks: table.checks.map((check, index): QualityCheck => ({
      table: table.name,
      check,
      violations: Number(row?.[`c${index}`])
    }))
  }
})
