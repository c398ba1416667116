import { Effect, Result } from "effect"
import { type Current, Home } from "../../home/Home.ts"
import { listParts, listPartFolders, presentFolders, readPart } from "../../home/parts.ts"
import { lakeRecords, verifyChanges, type LakeRecords } from "../publish/lakeRecords.ts"
import { partFiles, snapshotFiles } from "../snapshot/snapshotFiles.ts"
import { readSnapshot, listSnapshotIds } from "../../home/Manifest.ts"
import { verifySize, FileDamaged } from "../../home/verifyFile.ts"
import { join } from "node:path"
import { rawNames } from "../../../feed/reading/RawFiles.ts"
import { namesIn } from "../../home/disk.ts"
import type { StoppedGame } from "../publish/lakePlan.ts"
import { Fault } from "../../../feed/contract/Fault.ts"

/** Fails with `SnapshotsGone` if games are published and all their files are missing. */
export const snapshotsAreThere = Effect.fn("snapshotsAreThere")(function* ({ games }: Current) {
  const home = yield* Home
  const published = Object.keys(games)
  for (const gameId of published) {
    if ((yield* listSnapshotIds(gameId)).length > 0) return
    for (const run of yield* namesIn(home.readings(gameId))) {
      if ((yield* namesIn(join(home.readings(gameId), run, rawNames.pages))).length > 0) return
    }
  }
  if (published.length > 0)
    return yield* new Fault(
      "SnapshotsGone",
      `${home.snapshots} has none of the published snapshots, and no raw page is left to rebuild them from. Restore it from a backup, or start a new home: cardlake nightly --home FOLDER`
    )
})

/**
 * Checks, before a night reads anything, that files of published snapshots and months exist with the right size, and
 * that no changes were replaced. Checksums are verified on reading. Returns the games that have to stop alone; fails
 * with `FileDamaged` or `SnapshotsGone` if all have to.
 */
export const verifyPublished = Effect.fn("verifyPublished")(function* (current: Current) {
  const home = yield* Home
  yield* snapshotsAreThere(current)
  const records = yield* lakeRecords
  const stopped = yield* stoppedGames(current, records)
  const [missing] = yield* missingMonths(current, records)
  if (missing !== undefined) return yield* missing
  for (const [gameId, { snapshot }] of Object.entries(current.games)) {
    const published = yield* readSnapshot(home.snapshot(gameId, snapshot))
    const months = (stopped.get(gameId)?.parts ?? (yield* listParts(gameId))).flatMap(partFiles)
    yield* Effect.forEach([...(yield* snapshotFiles(published)), ...months], verifySize, {
      concurrency: 8,
      discard: true
    })
  }
  if ((yield* Home).place.buildsLake) yield* verifyChanges(current, records?.changesSeen ?? new Map())
  return stopped
})

/**
 * Returns games with a damaged `part.json`; until its repair, their history follows the lake's records. Fails with
 * `FileDamaged` if the lake has no records, because the month's rows would be missing.
 */
export const stoppedGames = Effect.fn("stoppedGames")(function* (current: Current, records: LakeRecords | null) {
  const home = yield* Home
  const stopped = new Map<string, StoppedGame>()
  for (const gameId of Object.keys(current.games)) {
    const found = yield* Effect.forEach(presentFolders(yield* listPartFolders(gameId)), (one) =>
      Effect.map(Effect.result(readPart(gameId)(one)), (read) => ({ month: one.month, read }))
    )
    const damage = found.flatMap(({ read }) => (Result.isFailure(read) ? [read.failure] : []))[0]
    if (damage === undefined) continue
    if (damage._tag !== "FileDamaged" || records === null) return yield* damage
    const parts = found.flatMap(({ month, read }) => {
      if (Result.isSuccess(read)) return [read.success]
      // A folder that no publication has read is not the month's.
      const part = records.parts.find((part) => part.gameId === gameId && part.month === month)
      return part === undefined ? [] : [{ folder: home.part(gameId, month, part.part), part }]
    })
    stopped.set(gameId, { damage, parts })
  }
  return stopped
})

/** Returns months that the lake has recorded but the home lacks. */
export const missingMonths = Effect.fn("missingMonths")(function* (current: Current, records: LakeRecords | null) {
  const home = yield* Home
  const missing: Array<FileDamaged> = []
  for (const { gameId, month, part } of records?.parts ?? []) {
    if (current.games[gameId] === undefined) continue
    const there = (yield* listPartFolders(gameId)).some((one) => one.month === month)
    const file = join(home.part(gameId, month, part), "part.json")
    if (!there) missing.push(new FileDamaged({ file, what: "it is missing, and so is every other file of its month" }))
  }
  return missing
})
