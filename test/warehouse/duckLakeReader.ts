import { join } from "node:path"
import { DatabaseSync } from "node:sqlite"
import { sqlText } from "../../src/store/lake/duckdb/Lake.ts"
import type { Row } from "../store/lake/tableRows.ts"

/** Rows of the catalogue, as SQLite itself reads them. */
export const catalogueRows = (folder: string, sql: string): ReadonlyArray<Row> => {
  const database = new DatabaseSync(join(folder, "ducklake.sqlite"))
  try {
    // As plain objects, which those of SQLite are not.
    return JSON.parse(JSON.stringify(database.prepare(sql).all())) as ReadonlyArray<Row>
  } finally {
    database.close()
  }
}
/** Changes the catalogue, as another program would. */
export const changed = (folder: string, sql: string) => {
  const database = new DatabaseSync(join(folder, "ducklake.sqlite"))
  database.exec(sql)
  database.close()
}

/** Files of a table as of a snapshot, by default the last, found as the specification says. */
export const filesOf = (folder: string, table: string, snapshot = 1_000_000): ReadonlyArray<string> =>
  catalogueRows(
    folder,
    `select (select value from ducklake_metadata where key = 'data_path') || s.path || t.path || f.path as path
     from ducklake_data_file f join ducklake_table t using (table_id) join ducklake_schema s using (schema_id)
     where t.table_name = '${table}' and f.begin_snapshot <= ${snapshot}
       and (f.end_snapshot is null or f.end_snapshot > ${snapshot}) order by f.data_file_id`
  ).map(({ path }) => String(path))
export const rowsOf = (folder: string, table: string, snapshot?: number): string =>
  `from read_parquet([${filesOf(folder, table, snapshot).map(sqlText).join(", ")}], hive_partitioning = false, union_by_name = true)`
