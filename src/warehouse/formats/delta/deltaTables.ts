import { randomUUID } from "node:crypto"
import { Clock, Effect } from "effect"
import type { Session } from "../../../store/lake/duckdb/Lake.ts"
import type { Destination } from "../../destination/Destination.ts"
import { commitFacts } from "../../drop/readBack.ts"
import { dayFolder, dayText } from "../../drop/days.ts"
import { placeInTables, type TableChange } from "../../drop/placeInTables.ts"
import type { PutJoined } from "../../drop/putJoined.ts"
import { partitionPath, tableName } from "../../drop/Drop.ts"
import type { ExportTable } from "../../drop/exportTables.ts"
import { type ColumnStatistics, type FileStatistics, lowerText, upperText } from "../../drop/fileStatistics.ts"
import type { StagedPartition } from "../../drop/stagePartition.ts"
import {
  protocol,
  type AddFile,
  type CommitInfo,
  type MetaData,
  type RemoveFile,
  commitActions,
  unreadTable,
  type DeltaTable,
  byGame,
  evolvedMetaData,
  newMetaData
} from "./DeltaTable.ts"
import { deltaLog } from "./deltaLog.ts"
import { fileDay, liveFile } from "./readDelta.ts"

/** The maximum length of text bounds; a bound must be valid, not exact. */
const maxTextLength = 32

/** Returns a number that JSON holds exactly, else null; money is exact, since a double holds it (design 6). */
const exactNumber = (digits: string, places: number): number | null => {
  const whole = Number(digits)
  return Number.isSafeInteger(whole) ? whole / 10 ** places : null
}

/** Returns a bound in the form that readers compare; null = no bound for the column. */
const formatBound = (
  { column: { type } }: ColumnStatistics,
  side: "lower" | "upper",
  value: string
): number | string | null => {
  switch (type) {
    case "VARCHAR":
      return side === "lower" ? lowerText(value, maxTextLength) : upperText(value, maxTextLength)
    case "BOOLEAN":
      return null
    case "DATE":
      return dayText(Number(value))
    case "TIMESTAMP": {
      // Delta bounds have milliseconds, columns have microseconds.
      const millis = side === "lower" ? Math.floor(Number(value) / 1000) : Math.ceil(Number(value) / 1000)
      return new Date(millis).toISOString()
    }
    default:
      return exactNumber(value, Number(/,(\d+)\)$/.exec(type)?.[1] ?? 0))
  }
}

/** Returns a file's statistics for Delta as JSON text, without partition columns. */
const deltaStatistics = (
  rows: number,
  columns: ReadonlyArray<ColumnStatistics>,
  partitionColumns: ReadonlyArray<string>
): string => {
  const own = columns.filter(({ column }) => !partitionColumns.includes(column.name))
  const bounds = (side: "lower" | "upper") =>
    Object.fromEntries(
      own.flatMap((one) => {
        const value = side === "lower" ? one.least : one.greatest
        const bound = value === null ? null : formatBound(one, side, value)
        return bound === null ? [] : [[one.column.name, bound] as const]
      })
    )
  return JSON.stringify({
    numRecords: rows,
    minValues: bounds("lower"),
    maxValues: bounds("upper"),
    nullCount: Object.fromEntries(own.map(({ column, nulls }) => [column.name, nulls] as const))
  })
}

const encoded = (path: string) => path.split("/").map(encodeURIComponent).join("/").replaceAll("%3D", "=")

export const commitInfo = (
  operation: string,
  timestamp: number,
  operationParameters: Record<string, string>
): CommitInfo => ({ timestamp, operation, operationParameters, isBlindAppend: false, engineInfo: "Cardlake" })

/** Removes a file from a table; `dataChange` is true if its rows are removed, too. */
export const removeFile = (file: AddFile, now: number, dataChange: boolean): RemoveFile => ({
  path: file.path,
  deletionTimestamp: now,
  dataChange,
  extendedFileMetadata: true,
  partitionValues: file.partitionValues,
  size: file.size
})

/** Adds a file of several days to a table that is partitioned by game. */
export const joinedAdd = (put: PutJoined, now: number, dataChange: boolean): AddFile => ({
  path: encoded(put.path),
  partitionValues: { game_id: put.game },
  size: put.bytes,
  modificationTime: now,
  dataChange,
  stats: deltaStatistics(put.rows, put.columns, byGame)
})

/** The folder of a table's files of several days. */
export const deltaJoins = { format: "Delta", dayFolder } as const

const addFile = (
  partition: StagedPartition,
  { columns }: FileStatistics,
  { partitionColumns }: MetaData,
  now: number
): AddFile => {
  const values = { game_id: partition.gameId, snapshot_date: partition.dt }
  return {
    path: encoded(partitionPath(partition)),
    partitionValues: partitionColumns.length === 1 ? { game_id: partition.gameId } : values,
    size: partition.bytes,
    modificationTime: now,
    dataChange: true,
    stats: deltaStatistics(partition.rows, columns, partitionColumns)
  }
}

/** Delta tables of a destination, with one commit for each day of a game that changes. */
export const deltaTables = (to: Destination, stage: string) => {
  const log = deltaLog(to, stage)
  const opened = new Map<string, DeltaTable & { readonly metaData: MetaData }>()

  const create = Effect.fnUntraced(function* (table: ExportTable) {
    const now = yield* Clock.currentTimeMillis
    const metaData = newMetaData(table, randomUUID(), now)
    const info = commitInfo("CREATE TABLE", now, {
      isManaged: "false",
      partitionBy: JSON.stringify(metaData.partitionColumns)
    })
    const actions = [{ commitInfo: info }, { protocol }, { metaData }]
    return { ...(yield* log.commit(unreadTable(tableName(table)), actions)), metaData }
  })

  const open = Effect.fnUntraced(function* (session: Session, partition: StagedPartition) {
    const { dt, gameId, table } = partition
    const name = tableName(table)
    const found = opened.get(name) ?? (yield* log.open(session, name)) ?? (yield* create(table))
    opened.set(name, found)
    const grown = yield* evolvedMetaData(table, found.metaData)
    const files = [...found.files].flatMap(([path, file]) => {
      const day = fileDay(path, file)
      const isOurs = file.partitionValues["game_id"] === gameId && (day === null || day === dt)
      return isOurs ? [liveFile(name, path, file)] : []
    })
    const commit = Effect.fnUntraced(function* ({ displaced, file, rests }: TableChange) {
      const now = yield* Clock.currentTimeMillis
      const add = file === null ? null : addFile(partition, file, found.metaData, now)
      const had = [...displaced].flatMap((path) => found.files.get(path.slice(name.length + 1)) ?? [])
      const parameters = { mode: had.length === 0 ? "Append" : "Overwrite", ...commitFacts(partition) }
      const actions = commitActions({
        info: commitInfo(add === null ? "DELETE" : "WRITE", now, parameters),
        metaData: grown,
        added: [...(add === null ? [] : [add]), ...rests.map((rest) => joinedAdd(rest, now, true))],
        removed: had.filter(({ path }) => path !== add?.path).map((file) => removeFile(file, now, true))
      })
      opened.set(name, { ...(yield* log.commit(found, actions)), metaData: grown ?? found.metaData })
    })
    const joined = files.filter((file) => file.dt === null && file.from <= dt && file.until >= dt)
    return { there: files.filter((file) => file.dt === dt), joined, commit }
  })
  return { place: placeInTables({ ...deltaJoins, to, stage }, open) }
}
