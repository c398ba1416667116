import { randomUUID } from "node:crypto"
import { Clock, Effect } from "effect"
import type { Session } from "../../lake/duckdb/Lake.ts"
import type { Destination } from "../destination/Destination.ts"
import { commitFacts } from "../drop/commitFacts.ts"
import { partitionPath, tableName } from "../drop/Drop.ts"
import type { ExportTable } from "../drop/exportTables.ts"
import { fileStatistics } from "../drop/fileStatistics.ts"
import type { StagedPartition } from "../drop/PlacePartition.ts"
import { protocol, type AddFile, type CommitInfo, type MetaData, type RemoveFile } from "./actions.ts"
import { deltaLog } from "./deltaLog.ts"
import { evolvedMetaData, newMetaData } from "./deltaSchema.ts"
import { deltaStatistics } from "./deltaStatistics.ts"
import { commitActions, unreadTable, type DeltaTable } from "./DeltaTable.ts"

/** As in a URL. */
const encoded = (path: string) => path.split("/").map(encodeURIComponent).join("/").replaceAll("%3D", "=")

const infoOf = (operation: string, timestamp: number, operationParameters: Record<string, string>): CommitInfo => ({
  timestamp,
  operation,
  operationParameters,
  isBlindAppend: false,
  engineInfo: "Cardlake"
})

const removalOf = (file: AddFile, now: number): RemoveFile => ({
  path: file.path,
  deletionTimestamp: now,
  dataChange: true,
  extendedFileMetadata: true,
  partitionValues: file.partitionValues,
  size: file.size
})

/** Delta tables of a destination, a commit for each day of a game that changes. */
export const deltaTables = (to: Destination, stage: string) => {
  const log = deltaLog(to, stage)
  const opened = new Map<string, DeltaTable & { readonly metaData: MetaData }>()

  const create = Effect.fnUntraced(function* (table: ExportTable) {
    const now = yield* Clock.currentTimeMillis
    const metaData = newMetaData(table, randomUUID(), now)
    const info = infoOf("CREATE TABLE", now, {
      isManaged: "false",
      partitionBy: JSON.stringify(metaData.partitionColumns)
    })
    const actions = [{ commitInfo: info }, { protocol }, { metaData }]
    return { ...(yield* log.commit(unreadTable(tableName(table)), actions)), metaData }
  })

  const addOf = Effect.fnUntraced(function* (session: Session, partition: StagedPartition, now: number) {
    const { columns } = yield* fileStatistics(session, partition.table, partition.file)
    return {
      path: encoded(partitionPath(partition)),
      partitionValues: { game_id: partition.gameId, snapshot_date: partition.dt },
      size: partition.bytes,
      modificationTime: now,
      dataChange: true,
      stats: deltaStatistics(partition.rows, columns)
    } satisfies AddFile
  })

  /** Puts a partition's file into its table, in a commit of its own. Without rows, it removes what was there. */
  const place = Effect.fn("placeInDelta")(function* (session: Session, partition: StagedPartition) {
    const { dt, gameId, rows, table } = partition
    const name = tableName(table)
    const found = opened.get(name) ?? (yield* log.open(session, name)) ?? (yield* create(table))
    opened.set(name, found)
    const grown = yield* evolvedMetaData(table, found.metaData)
    const now = yield* Clock.currentTimeMillis
    const there = [...found.files.values()].filter(
      ({ partitionValues: values }) => values["game_id"] === gameId && values["snapshot_date"] === dt
    )
    const add = rows === 0 ? null : yield* addOf(session, partition, now)
    const isThere = there.length === (add === null ? 0 : 1) && there[0]?.path === add?.path
    if (add !== null && (!isThere || partition.isDamaged))
      yield* to.put(`${name}/${partitionPath(partition)}`, partition.file)
    if (isThere) return add !== null && partition.isDamaged ? ("replaced" as const) : ("unchanged" as const)
    const parameters = { mode: there.length === 0 ? "Append" : "Overwrite", ...commitFacts(partition) }
    const actions = commitActions({
      info: infoOf(add === null ? "DELETE" : "WRITE", now, parameters),
      metaData: grown,
      added: add === null ? [] : [add],
      removed: there.filter(({ path }) => path !== add?.path).map((file) => removalOf(file, now))
    })
    opened.set(name, { ...(yield* log.commit(found, actions)), metaData: grown ?? found.metaData })
    if (add === null) return "emptied" as const
    return there.length === 0 ? ("added" as const) : ("replaced" as const)
  })
  return { place }
}
