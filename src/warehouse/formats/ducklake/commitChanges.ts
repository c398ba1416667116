import { randomUUID } from "node:crypto"
import type { DatabaseSync } from "node:sqlite"
import { commitFacts } from "../../drop/readBack.ts"
import { tableName } from "../../drop/Drop.ts"
import type { ExportColumn, ExportTable } from "../../drop/exportTables.ts"
import type { StagedPartition } from "../../drop/stagePartition.ts"
import { insertRow } from "./duckDbText.ts"
import { inTransaction } from "./openCatalogue.ts"
import { addFile, beginSnapshot, endFiles, endSnapshot, type NewSnapshot, type PlacedFile } from "./snapshotRows.ts"
import { duckLakeType, findTable, joinedFiles, liveFiles, partitionColumns, type FoundTable } from "./tableRows.ts"

/** The change of a partition; no file = its rows are removed. */
export interface Change {
  readonly partition: StagedPartition
  readonly file: PlacedFile | null
  /** Removed files of several days that had the day, by id, and their replacements. */
  readonly displaced: ReadonlySet<number>
  readonly rests: ReadonlyArray<PlacedFile>
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

/** Commits all changes to a game's day as one atomic snapshot. */
export const commitChanges = (database: DatabaseSync, all: ReadonlyArray<Change>, at: string): void =>
  inTransaction(database, () => {
    const snapshot = beginSnapshot(database)
    for (const { file, displaced, partition, rests } of all) {
      const found = findTable(database, partition.table)
      if (typeof found === "string") throw new Error(`${tableName(partition.table)} ${found}`)
      const table = found ?? createTable(database, snapshot, partition.table)
      if (table.added.length > 0) {
        addColumns(database, snapshot, table.id, table.added)
        for (const { fieldId } of table.added) {
          // The column is null in files that lack it.
          const bounds = { table_id: table.id, column_id: fieldId, contains_null: 1 }
          insertRow(database, "ducklake_table_column_stats", bounds)
        }
        snapshot.changes.push(`altered_table:${table.id}`)
      }
      const { dt, gameId } = partition
      const ofDay = liveFiles(database, table.id, dt).filter(({ game }) => game === gameId)
      const ofMore = joinedFiles(database, partition.table, table.id, dt).filter(({ id }) => displaced.has(id))
      if (ofMore.length < displaced.size) throw new Error(`${tableName(partition.table)} was changed at the same time`)
      const there = [...ofDay, ...ofMore]
      endFiles(database, snapshot, table.id, there)
      if (there.length > 0) snapshot.changes.push(`deleted_from_table:${table.id}`)
      const files = [...(file === null ? [] : [file]), ...rests]
      for (const one of files) addFile(database, snapshot, table, one)
      if (files.length > 0) snapshot.changes.push(`inserted_into_table:${table.id}`)
    }
    const [first] = all
    if (first === undefined || snapshot.changes.length === 0) return
    endSnapshot(database, snapshot, {
      at,
      message: `${first.partition.gameId}, ${first.partition.dt}`,
      facts: commitFacts(first.partition)
    })
  })
