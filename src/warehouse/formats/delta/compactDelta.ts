import { Clock, Effect, Option, Schema } from "effect"
import { type DropAt, tableName } from "../../drop/Drop.ts"
import type { ExportTable } from "../../drop/exportTables.ts"
import { joinFiles, type JoinSizes } from "../../drop/joinFiles.ts"
import type { PutJoined } from "../../drop/putJoined.ts"
import { type AddFile, commitActions, byGame, evolvedMetaData } from "./DeltaTable.ts"
import { deltaLog } from "./deltaLog.ts"
import { deltaJoins, commitInfo, joinedAdd, removeFile } from "./deltaTables.ts"
import { liveFiles } from "./readDelta.ts"

const Values = Schema.Record(Schema.String, Schema.Unknown)
const Statistics = Schema.fromJsonString(
  Schema.StructWithRest(
    Schema.Struct({
      minValues: Schema.optionalKey(Values),
      maxValues: Schema.optionalKey(Values),
      nullCount: Schema.optionalKey(Values)
    }),
    [Schema.Record(Schema.String, Schema.Unknown)]
  )
)

/** Removes the day from the partition values: in a table partitioned by game, it is an ordinary column of the file. */
const withoutDay = (file: AddFile): AddFile => {
  const { game_id: game = null, snapshot_date: day } = file.partitionValues
  if (day === undefined) return { ...file, dataChange: false }
  const statistics = Option.getOrElse(
    Schema.decodeUnknownOption(Statistics)(file.stats),
    () => ({}) as typeof Statistics.Type
  )
  const stats = JSON.stringify({
    ...statistics,
    minValues: { ...statistics.minValues, snapshot_date: day },
    maxValues: { ...statistics.maxValues, snapshot_date: day },
    nullCount: { ...statistics.nullCount, snapshot_date: 0 }
  })
  return { ...file, partitionValues: { game_id: game }, dataChange: false, stats: file.stats == null ? null : stats }
}

/**
 * Joins a table's files of past months, in one commit that changes no row; null = the table does not exist. The first
 * compaction changes the partitioning to game alone: the other files are not moved, but added again without day.
 */
export const compactDelta = Effect.fn("compactDelta")(function* (at: DropAt, table: ExportTable, sizes: JoinSizes) {
  const { session, stage, to } = at
  const name = tableName(table)
  const log = deltaLog(to, stage)
  const found = yield* log.open(session, name)
  if (found === null) return null
  const metaData = (yield* evolvedMetaData(table, found.metaData)) ?? found.metaData
  const commit = Effect.fnUntraced(function* (puts: ReadonlyArray<PutJoined>, replaced: ReadonlySet<string>) {
    const now = yield* Clock.currentTimeMillis
    const isReplaced = (path: string) => replaced.has(`${name}/${path}`)
    const isFirst = found.metaData.partitionColumns.length > 1
    const stay = isFirst ? [...found.files].flatMap(([path, file]) => (isReplaced(path) ? [] : [withoutDay(file)])) : []
    const actions = commitActions({
      info: commitInfo("OPTIMIZE", now, { "cardlake.compacted": "true" }),
      metaData: { ...metaData, partitionColumns: byGame },
      added: [...stay, ...puts.map((put) => joinedAdd(put, now, false))],
      removed: [...found.files].flatMap(([path, file]) => (isReplaced(path) ? [removeFile(file, now, false)] : []))
    })
    yield* log.commit(found, actions)
  })
  return yield* joinFiles({ ...at, ...deltaJoins, table }, liveFiles(found), sizes, commit)
})
