import { ownText } from "../../../feed/disk/ownText.ts"
import type { DatabaseSync } from "node:sqlite"
import { tableName } from "../../drop/Drop.ts"
import type { ExportColumn, ExportTable } from "../../drop/exportTables.ts"
import type { DatedFile } from "../../drop/joinFiles.ts"

const joinedFilesSql = ownText(new URL("joined_files.sql", import.meta.url))
const liveFilesSql = ownText(new URL("live_files.sql", import.meta.url))

/** A file that currently belongs to a table. */
export type LiveFile = {
  readonly id: number
  readonly game: string
  /** Null = several days, in a range. */
  readonly dt: string | null
  readonly first_day: string | null
  readonly path: string
  readonly is_relative: number
  readonly rows: number
  readonly bytes: number
  readonly is_cut: number
}

/** A table of the catalogue that Cardlake can write to. */
export interface FoundTable {
  readonly id: number
  readonly partitionId: number
  readonly added: ReadonlyArray<ExportColumn>
}

const types: Readonly<Record<string, string>> = { TIMESTAMP: "timestamptz" }
/** Returns the catalogue's name of a type. */
export const duckLakeType = ({ type }: ExportColumn): string => types[type] ?? type.toLowerCase()

/** The partition columns. Both are in the files, too. */
const partitionNames = ["game_id", "snapshot_date"]
export const partitionColumns = ({ columns }: ExportTable) =>
  partitionNames.flatMap((name) => columns.filter((column) => column.name === name))

/** Returns the current files of a table, of every day or of one. */
export const liveFiles = (database: DatabaseSync, tableId: number, dt: string | null): ReadonlyArray<LiveFile> =>
  database.prepare(liveFilesSql).all({ tableId, dt }) as Array<LiveFile>

/** Returns the current files of several days, all or those that may have a day. */
export const joinedFiles = (
  database: DatabaseSync,
  table: ExportTable,
  tableId: number,
  dt: string | null
): ReadonlyArray<LiveFile> => {
  const dayColumn = partitionColumns(table).at(-1)?.fieldId ?? 0
  return database.prepare(joinedFilesSql).all({ tableId, dt, dayColumn }) as Array<LiveFile>
}

/** Converts a file of the catalogue to one of the export. */
export const datedFile = (
  name: string,
  { bytes, dt, first_day: first, game, is_cut: isCut, is_relative: isRelative, path, rows }: LiveFile
): DatedFile => {
  const elsewhere = isRelative === 1 ? null : `it is outside the export: ${path}`
  const fault = isCut === 1 ? "another program deleted rows of it" : elsewhere
  return { game, dt, from: dt ?? first ?? "", path: `${name}/${path}`, rows, bytes, fault }
}

const findPartition = (database: DatabaseSync, table: ExportTable, tableId: number): number | null => {
  const parts = database
    .prepare("select partition_id from ducklake_partition_info where table_id = ? and end_snapshot is null")
    .all(tableId)
  const id = Number(parts[0]?.["partition_id"] ?? -1)
  const found = database
    .prepare(
      "select column_id, transform from ducklake_partition_column where partition_id = ? order by partition_key_index"
    )
    .all(id)
  const theirs = found.map((column) => `${String(column["column_id"])} ${String(column["transform"])}`)
  const ours = partitionColumns(table).map(({ fieldId }) => `${fieldId} identity`)
  return theirs.join() === ours.join() ? id : null
}

/** Finds a table of the catalogue; null = missing; a text = why Cardlake cannot write to it. */
export const findTable = (database: DatabaseSync, table: ExportTable): FoundTable | string | null => {
  const found = database
    .prepare("select table_id from ducklake_table where table_name = ? and schema_id = 0 and end_snapshot is null")
    .get(tableName(table))
  if (found === undefined) return null
  const id = Number(found["table_id"])
  const columns = database
    .prepare(
      "select column_id, column_name, column_type from ducklake_column where table_id = ? and end_snapshot is null"
    )
    .all(id)
  const known = new Set<number>()
  for (const { column_id: fieldId, column_name: name, column_type: type } of columns) {
    const ours = table.columns.find((column) => column.fieldId === fieldId)
    if (ours === undefined || ours.name !== name || duckLakeType(ours) !== type)
      return `has a column ${String(name)} (${String(type)}) that this version of Cardlake does not write`
    known.add(ours.fieldId)
  }
  const partitionId = findPartition(database, table, id)
  if (partitionId === null) return "is no longer partitioned by game_id and snapshot_date"
  return { id, partitionId, added: table.columns.filter(({ fieldId }) => !known.has(fieldId)) }
}
