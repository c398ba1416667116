import { randomUUID } from "node:crypto"
import type { DatabaseSync } from "node:sqlite"
import { commitFacts } from "../drop/commitFacts.ts"
import { tableName } from "../drop/Drop.ts"
import type { ExportColumn, ExportTable } from "../drop/exportTables.ts"
import type { ColumnStatistics } from "../drop/fileStatistics.ts"
import type { StagedPartition } from "../drop/PlacePartition.ts"
import { boundTexts } from "./duckDbText.ts"
import { insertRow } from "./insertRow.ts"
import { inTransaction } from "./openCatalogue.ts"
import { duckLakeType, findTable, liveFiles, partitionColumns, type FoundTable } from "./tableRows.ts"
import { widenBounds } from "./widenBounds.ts"

/** A file in its final place, and what its footer says. */
export interface PlacedFile {
  /** Below its table. */
  readonly path: string
  readonly footerBytes: number
  readonly columns: ReadonlyArray<ColumnStatistics>
}

/** What a partition becomes; no file = its rows are removed. */
export interface Change {
  readonly partition: StagedPartition
  readonly file: PlacedFile | null
}

/** The snapshot in the making. */
interface NewSnapshot {
  readonly id: number
  readonly schemaVersion: number
  nextCatalogId: number
  nextFileId: number
  readonly changes: Array<string>
}

const addColumns = (
  database: DatabaseSync,
  snapshot: NewSnapshot,
  tableId: number,
  columns: ReadonlyArray<ExportColumn>
): void => {
  const own = { table_id: tableId, begin_snapshot: snapshot.id }
  for (const column of columns) {
    const { comment, fieldId, name } = column
    insertRow(database, "ducklake_column", {
      ...own,
      column_id: fieldId,
      column_order: fieldId,
      column_name: name,
      column_type: duckLakeType(column),
      default_value: "NULL",
      nulls_allowed: 1,
      default_value_type: "literal",
      default_value_dialect: "duckdb"
    })
    insertRow(database, "ducklake_column_tag", { ...own, column_id: fieldId, key: "comment", value: comment })
  }
  insertRow(database, "ducklake_schema_versions", { ...own, schema_version: snapshot.schemaVersion })
}

const createTable = (database: DatabaseSync, snapshot: NewSnapshot, table: ExportTable): FoundTable => {
  const id = snapshot.nextCatalogId++
  const partitionId = snapshot.nextCatalogId++
  const name = tableName(table)
  const own = { table_id: id, begin_snapshot: snapshot.id }
  insertRow(database, "ducklake_table", {
    ...own,
    table_uuid: randomUUID(),
    schema_id: 0,
    table_name: name,
    path: `${name}/`,
    path_is_relative: 1
  })
  insertRow(database, "ducklake_tag", {
    object_id: id,
    begin_snapshot: snapshot.id,
    key: "comment",
    value: table.comment
  })
  insertRow(database, "ducklake_table_stats", { table_id: id, record_count: 0, next_row_id: 0, file_size_bytes: 0 })
  insertRow(database, "ducklake_partition_info", { ...own, partition_id: partitionId })
  for (const [index, { fieldId }] of partitionColumns(table).entries()) {
    const key = { partition_key_index: index, column_id: fieldId, transform: "identity" }
    insertRow(database, "ducklake_partition_column", { table_id: id, partition_id: partitionId, ...key })
  }
  addColumns(database, snapshot, id, table.columns)
  snapshot.changes.push(`created_table:"main"."${name}"`)
  return { id, partitionId, added: [] }
}

const endFiles = (database: DatabaseSync, snapshot: NewSnapshot, tableId: number, partition: StagedPartition): void => {
  const there = liveFiles(database, tableId, partition.dt).filter(({ game }) => game === partition.gameId)
  for (const { bytes, id, rows } of there) {
    const at = { snapshot: snapshot.id, id }
    for (const table of ["ducklake_data_file", "ducklake_delete_file"]) {
      const ended = `update ${table} set end_snapshot = :snapshot where data_file_id = :id and end_snapshot is null`
      database.prepare(ended).run(at)
    }
    const fewer = "record_count = record_count - :rows, file_size_bytes = file_size_bytes - :bytes"
    database.prepare(`update ducklake_table_stats set ${fewer} where table_id = :tableId`).run({ rows, bytes, tableId })
  }
  if (there.length > 0) snapshot.changes.push(`deleted_from_table:${tableId}`)
}

const addFile = (
  database: DatabaseSync,
  snapshot: NewSnapshot,
  { id: tableId, partitionId }: FoundTable,
  { bytes, dt, gameId, rows }: StagedPartition,
  { columns, footerBytes, path }: PlacedFile
): void => {
  const id = snapshot.nextFileId++
  const own = { data_file_id: id, table_id: tableId }
  const first = database.prepare("select next_row_id from ducklake_table_stats where table_id = ?").get(tableId)
  insertRow(database, "ducklake_data_file", {
    ...own,
    begin_snapshot: snapshot.id,
    path,
    path_is_relative: 1,
    file_format: "parquet",
    record_count: rows,
    file_size_bytes: bytes,
    footer_size: footerBytes,
    row_id_start: Number(first?.["next_row_id"] ?? 0),
    partition_id: partitionId
  })
  for (const [index, value] of [gameId, dt].entries()) {
    const part = { partition_key_index: index, partition_value: value }
    insertRow(database, "ducklake_file_partition_value", { ...own, ...part })
  }
  for (const one of columns) {
    insertRow(database, "ducklake_file_column_stats", {
      ...own,
      column_id: one.column.fieldId,
      column_size_bytes: one.compressedBytes,
      value_count: one.values - one.nulls,
      null_count: one.nulls,
      ...boundTexts(one)
    })
  }
  widenBounds(database, tableId, columns)
  const more =
    "record_count = record_count + :rows, file_size_bytes = file_size_bytes + :bytes, next_row_id = next_row_id + :rows"
  database.prepare(`update ducklake_table_stats set ${more} where table_id = :tableId`).run({ rows, bytes, tableId })
  snapshot.changes.push(`inserted_into_table:${tableId}`)
}

/** Makes one snapshot of all changes to a game's day: readers see all of them, or none. */
export const commitChanges = (database: DatabaseSync, all: ReadonlyArray<Change>, at: string): void =>
  inTransaction(database, () => {
    const last = database.prepare("select * from ducklake_snapshot order by snapshot_id desc limit 1").get() ?? {}
    const before = Number(last["schema_version"] ?? 0)
    const snapshot: NewSnapshot = {
      id: Number(last["snapshot_id"] ?? -1) + 1,
      schemaVersion: before + 1,
      nextCatalogId: Number(last["next_catalog_id"] ?? 1),
      nextFileId: Number(last["next_file_id"] ?? 0),
      changes: []
    }
    for (const { file, partition } of all) {
      const found = findTable(database, partition.table)
      if (typeof found === "string") throw new Error(`${tableName(partition.table)} ${found}`)
      const table = found ?? createTable(database, snapshot, partition.table)
      if (table.added.length > 0) {
        addColumns(database, snapshot, table.id, table.added)
        for (const { fieldId } of table.added) {
          // In files that lack the column, it is null.
          const bounds = { table_id: table.id, column_id: fieldId, contains_null: 1 }
          insertRow(database, "ducklake_table_column_stats", bounds)
        }
        snapshot.changes.push(`altered_table:${table.id}`)
      }
      endFiles(database, snapshot, table.id, partition)
      if (file !== null) addFile(database, snapshot, table, partition, file)
    }
    const [first] = all
    if (first === undefined || snapshot.changes.length === 0) return
    const isGrown = snapshot.changes.some((change) => /^(created|altered)_table/.test(change))
    insertRow(database, "ducklake_snapshot", {
      snapshot_id: snapshot.id,
      snapshot_time: at,
      schema_version: isGrown ? snapshot.schemaVersion : before,
      next_catalog_id: snapshot.nextCatalogId,
      next_file_id: snapshot.nextFileId
    })
    insertRow(database, "ducklake_snapshot_changes", {
      snapshot_id: snapshot.id,
      changes_made: snapshot.changes.join(","),
      author: "Cardlake",
      commit_message: `${first.partition.gameId}, ${first.partition.dt}`,
      commit_extra_info: JSON.stringify(commitFacts(first.partition))
    })
  })
