import { Effect } from "effect"
import { changesFiles } from "../snapshot/changesFiles.ts"
import type { Night } from "./nights.ts"
import { partTables } from "../../schema/partTables.ts"
import type { MonthPlan } from "./planMonths.ts"
import { partFiles } from "../snapshot/snapshotFiles.ts"
import { verifyFile, type FileOnRecord } from "../../home/verifyFile.ts"

/**
 * Compares the files that a part is made from with their sums on record: prices and
 * versions of its nights, and the month's current part. Fails with `FileDamaged`.
 */
export const verifyOriginals = Effect.fn("verifyOriginals")(function* ({ nights, present }: MonthPlan) {
  const own = yield* Effect.forEach(nights, originalsOf)
  const files = [...own.flat(), ...(present === null ? [] : partFiles(present))]
  yield* Effect.forEach(files, verifyFile, { concurrency: 4, discard: true })
})

/**
 * What a part takes from a night's own files. A game's first
 * night has no changes: all tables of its snapshot are read.
 */
const originalsOf = Effect.fnUntraced(function* (night: Night) {
  const inSnapshot = Object.entries(night.tables).flatMap(
    ([table, { sha256, sizeBytes }]): ReadonlyArray<FileOnRecord> => {
      const isPrice = partTables.some(({ entity, name }) => entity === null && name === table)
      const isRead = isPrice ? night.pricesIn === null : night.versionsIn === null && night.follows === null
      const file = isRead ? night.file(`${table}.parquet`) : null
      return file === null ? [] : [{ file, sizeBytes, sha256: [sha256] }]
    }
  )
  if (night.versionsIn !== null || night.follows === null) return inSnapshot
  return [...inSnapshot, ...(yield* changesFiles(night.gameId, night.snapshot))]
})
