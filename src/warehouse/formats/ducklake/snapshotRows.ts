import type { DatabaseSync } from "node:sqlite"
import { type ColumnStatistics, lowerText, upperText } from "../../drop/fileStatistics.ts"
import { boundTexts, insertRow, maxTextLength, valueText } from "./duckDbText.ts"
import type { FoundTable, LiveFile } from "./tableRows.ts"
import type { DropType } from "../../drop/exportTables.ts"

/** Parses an instant to microseconds; DuckDB omits trailing zeros of a second. */
const inMicros = (instant: string): string => {
  const [second = "", part = ""] = instant.replace("+00", "").split(".")
  return `${second}.${part.padEnd(6, "0")}`
}

/** True if a value is below another one in DuckDB's order. */
const isBelow = (type: DropType, one: string, other: string): boolean => {
  if (type === "VARCHAR" || type === "DATE") return Buffer.compare(Buffer.from(one), Buffer.from(other)) < 0
  if (type === "TIMESTAMP") return inMicros(one) < inMicros(other)
  return BigInt(one.replace(".", "")) < BigInt(other.replace(".", ""))
}

/** Returns a bound over all files: a text may be cut if the bound remains valid. */
const boundText = ({ column, greatest, least }: ColumnStatistics, side: "lower" | "upper"): string | null => {
  const value = side === "lower" ? least : greatest
  if (value === null) return null
  if (column.type !== "VARCHAR") return valueText(column, value)
  return side === "lower" ? lowerText(value, maxTextLength) : (upperText(value, maxTextLength) ?? value)
}

/**
 * Widens a table's bounds by those of a new file. They never shrink, so they are valid for earlier snapshots, too.
 * Without them, DuckDB would use the bounds of rows that another program inserts for the complete table.
 */
export const widenBounds = (
  database: DatabaseSync,
  tableId: number,
  columns: ReadonlyArray<ColumnStatistics>
): void => {
  const read = database.prepare("select * from ducklake_table_column_stats where table_id = ? and column_id = ?")
  const drop = database.prepare("delete from ducklake_table_column_stats where table_id = ? and column_id = ?")
  const write = database.prepare(
    "insert into ducklake_table_column_stats (table_id, column_id, contains_null, min_value, max_value) values (?, ?, ?, ?, ?)"
  )
  for (const one of columns) {
    const { fieldId, type } = one.column
    const before = read.get(tableId, fieldId) ?? {}
    const widest = (side: "lower" | "upper", had: unknown): string | null => {
      const bound = boundText(one, side)
      if (typeof had !== "string" || bound === null) return typeof had === "string" ? had : bound
      const isWider = side === "lower" ? isBelow(type, bound, had) : isBelow(type, had, bound)
      return isWider ? bound : had
    }
    drop.run(tableId, fieldId)
    const hasNull = one.nulls > 0 || before["contains_null"] === 1
    write.run(
      tableId,
      fieldId,
      hasNull ? 1 : 0,
      widest("lower", before["min_value"]),
      widest("upper", before["max_value"])
    )
  }
}

/** A file at its final path, with the facts of its footer. */
export interface PlacedFile {
  /** The path below its table. */
  readonly path: string
  readonly rows: number
  readonly bytes: number
  readonly footerBytes: number
  readonly columns: ReadonlyArray<ColumnStatistics>
  /** Its game and day; null = it has several days, and no partition. */
  readonly partition: readonly [game: string, dt: string] | null
}

/** A snapshot that is being written. */
export interface NewSnapshot {
  readonly id: number
  readonly schemaVersion: number
  nextCatalogId: number
  nextFileId: number
  readonly changes: Array<string>
}

/** Begins the snapshot after the last one. */
export const beginSnapshot = (database: DatabaseSync): NewSnapshot => {
  const last = database.prepare("select * from ducklake_snapshot order by snapshot_id desc limit 1").get() ?? {}
  return {
    id: Number(last["snapshot_id"] ?? -1) + 1,
    schemaVersion: Number(last["schema_version"] ?? 0) + 1,
    nextCatalogId: Number(last["next_catalog_id"] ?? 1),
    nextFileId: Number(last["next_file_id"] ?? 0),
    changes: []
  }
}

/** Ends files of a table with the snapshot; earlier snapshots still have them. */
export const endFiles = (
  database: DatabaseSync,
  snapshot: NewSnapshot,
  tableId: number,
  files: ReadonlyArray<LiveFile>
): void => {
  for (const { bytes, id, rows } of files) {
    const at = { snapshot: snapshot.id, id }
    for (const table of ["ducklake_data_file", "ducklake_delete_file"]) {
      const ended = `update ${table} set end_snapshot = :snapshot where data_file_id = :id and end_snapshot is null`
      database.prepare(ended).run(at)
    }
    const fewer = "record_count = record_count - :rows, file_size_bytes = file_size_bytes - :bytes"
    database.prepare(`update ducklake_table_stats set ${fewer} where table_id = :tableId`).run({ rows, bytes, tableId })
  }
}

export const addFile = (
  database: DatabaseSync,
  snapshot: NewSnapshot,
  { id: tableId, partitionId }: Pick<FoundTable, "id" | "partitionId">,
  { bytes, columns, footerBytes, partition, path, rows }: PlacedFile
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
    ...(partition === null ? {} : { partition_id: partitionId })
  })
  for (const [index, value] of (partition ?? []).entries()) {
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
}

/** Writes the snapshot's row, which makes it visible to readers. */
export const endSnapshot = (
  database: DatabaseSync,
  { changes, id, nextCatalogId, nextFileId, schemaVersion }: NewSnapshot,
  { at, facts, message }: { readonly at: string; readonly facts: object; readonly message: string }
): void => {
  const isGrown = changes.some((change) => /^(created|altered)_table/.test(change))
  insertRow(database, "ducklake_snapshot", {
    snapshot_id: id,
    snapshot_time: at,
    schema_version: isGrown ? schemaVersion : schemaVersion - 1,
    next_catalog_id: nextCatalogId,
    next_file_id: nextFileId
  })
  insertRow(database, "ducklake_snapshot_changes", {
    snapshot_id: id,
    changes_made: changes.join(","),
    author: "Cardlake",
    commit_message: message,
    commit_extra_info: JSON.stringify(facts)
  })
}
