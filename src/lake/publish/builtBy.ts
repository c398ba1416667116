import { createHash } from "node:crypto"
import { historyViews, macros, nightsTable, readingsTable, reusedIdsTable } from "../history/historyTables.ts"
import { snapshotTables } from "../load/snapshotTables.ts"
import { sqlFile, type TableFile } from "../duckdb/tableFile.ts"

/** The hash of all SQL that a lake is built with: a lake of another one lacks what this program asks for. */
export const programHash = (published: ReadonlyArray<TableFile>): string => {
  const hash = createHash("sha256")
  for (const { sql } of [
    ...snapshotTables,
    ...published,
    nightsTable,
    readingsTable,
    reusedIdsTable,
    ...historyViews,
    ...macros
  ]) {
    hash.update(sql)
  }
  for (const path of ["history/is_another.sql", "fx/converted.sql"]) hash.update(sqlFile(path))
  return hash.digest("hex").slice(0, 16)
}

/** A view that names it, where nobody looks who asks the lake. */
export const builtBySql = (hash: string): string => `create view files.built_by as select '${hash}' as program`
