import { Effect } from "effect"
import type { Session } from "../../../store/lake/duckdb/Lake.ts"
import type { Destination } from "../../destination/Destination.ts"
import { damaged, partitionFolder, PartitionManifest, partName, readManifest, writeDocument } from "../../drop/Drop.ts"
import { figureSums } from "../../drop/fileStatistics.ts"
import type { StagedPartition } from "../../drop/stagePartition.ts"

/**
 * Puts a partition in place for readers of plain files: the file, its manifest, then `_SUCCESS`. Each is written
 * atomically, so a reader sees the earlier rows or the new ones. If the same file exists, nothing is written.
 */
export const placeAsFiles = (to: Destination) =>
  Effect.fnUntraced(function* (session: Session, partition: StagedPartition) {
    const { bytes, dt, file, gameId, isDamaged, isFromHistory, rows, sha256, snapshots, table } = partition
    const folder = partitionFolder(table, gameId, dt)
    const before = yield* readManifest(to, folder)
    if (
      !isDamaged &&
      before !== null &&
      before !== damaged &&
      before.sha256 === sha256 &&
      (yield* to.read(`${folder}/_SUCCESS`)) !== null
    ) {
      return "unchanged" as const
    }
    const sums = yield* figureSums(session, table, file)
    yield* to.put(`${folder}/${partName}`, file)
    yield* writeDocument(to, `${folder}/_manifest.json`, PartitionManifest, {
      entries: [
        { url: to.urlOf(`${folder}/${partName}`), mandatory: true, meta: { content_length: bytes, record_count: rows } }
      ],
      table: table.name,
      version: table.version,
      game: gameId,
      dt,
      snapshots,
      fromHistory: isFromHistory,
      rows,
      bytes,
      sha256,
      sums
    })
    yield* to.write(`${folder}/_SUCCESS`, "")
    if (before === null) return "added" as const
    return snapshots.length === 0 && rows === 0 ? ("emptied" as const) : ("replaced" as const)
  })
