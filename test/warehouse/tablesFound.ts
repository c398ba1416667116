import { join } from "node:path"
import { existsSync } from "node:fs"
import { Effect } from "effect"
import { sqlText } from "../../src/store/lake/duckdb/Lake.ts"
import { fileRows } from "../store/lake/tableRows.ts"
import { commitsIn, liveFiles as deltaFiles } from "./deltaReader.ts"
import { filesOf } from "./duckLakeReader.ts"
import { liveFiles as icebergFiles, metadataOf } from "./icebergReader.ts"

/** A format of tables, as readers find the files of a table, by default those of now. */
export interface TablesFound {
  readonly format: "iceberg" | "delta" | "ducklake"
  readonly filesIn: (folder: string, table: string) => ReadonlyArray<string>
  /** Files as of each of a table's versions, oldest first. */
  readonly versionsIn: (folder: string, table: string) => ReadonlyArray<ReadonlyArray<string>>
}

const iceberg: TablesFound = {
  format: "iceberg",
  filesIn: (folder, table) =>
    existsSync(join(folder, table, "metadata"))
      ? icebergFiles(metadataOf(join(folder, table))).map(({ file_path: path }) => path)
      : [],
  versionsIn: (folder, table) => {
    const metadata = metadataOf(join(folder, table))
    return metadata.snapshots.map((one) =>
      icebergFiles(metadata, one["snapshot-id"]).map(({ file_path: path }) => path)
    )
  }
}
const delta: TablesFound = {
  format: "delta",
  filesIn: (folder, table) =>
    existsSync(join(folder, table, "_delta_log"))
      ? deltaFiles(commitsIn(join(folder, table))).map(({ path }) => join(folder, table, path))
      : [],
  versionsIn: (folder, table) => {
    const commits = commitsIn(join(folder, table))
    return commits.map((_, version) => deltaFiles(commits, version).map(({ path }) => join(folder, table, path)))
  }
}
const ducklake: TablesFound = {
  format: "ducklake",
  filesIn: (folder, table) => filesOf(folder, table),
  versionsIn: (folder, table) =>
    Array.from({ length: 100 }, (_, snapshot) => filesOf(folder, table, snapshot)).filter(
      (files, at, all) => at === 0 || files.join() !== all[at - 1]?.join()
    )
}

export const tablesFound = { iceberg, delta, ducklake }

/** Every row of some files as a text, in no order. */
export const rowsOfFiles = Effect.fnUntraced(function* (files: ReadonlyArray<string>) {
  if (files.length === 0) return []
  const rows = yield* fileRows(
    `from read_parquet([${files.map(sqlText).join(", ")}], hive_partitioning = false, union_by_name = true)`
  )
  return rows.map((row) => JSON.stringify(row)).sort()
})
