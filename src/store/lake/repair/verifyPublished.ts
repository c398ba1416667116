import { Effect } from "effect"
import { type Current, Home } from "../../home/Home.ts"
import { monthsGone, stoppedGames } from "./stoppedGames.ts"
import { partsOf } from "../../home/parts.ts"
import { lakeRecords } from "../publish/lakeRecords.ts"
import { verifyChanges } from "../publish/verifyChanges.ts"
import { partFiles, snapshotFiles } from "../snapshot/snapshotFiles.ts"
import { snapshotsAreThere } from "./SnapshotsGone.ts"
import { readSnapshot } from "../../home/Manifest.ts"
import { verifySize } from "../../home/verifyFile.ts"

/**
 * Checks that the files of published snapshots and months are there and of the right size, and that no night's changes
 * were replaced, before a night reads everything in vain. Sums are compared when the files are read. Returns the games
 * that have to stop alone; fails with `FileDamaged` or `SnapshotsGone` if all of them have to.
 */
export const verifyPublished = Effect.fn("verifyPublished")(function* (current: Current) {
  const home = yield* Home
  yield* snapshotsAreThere(current)
  const records = yield* lakeRecords
  const stopped = yield* stoppedGames(current, records)
  const [gone] = yield* monthsGone(current, records)
  if (gone !== undefined) return yield* gone
  for (const [gameId, { snapshot }] of Object.entries(current.games)) {
    const published = yield* readSnapshot(home.snapshot(gameId, snapshot))
    const months = (stopped.get(gameId)?.parts ?? (yield* partsOf(gameId))).flatMap(partFiles)
    yield* Effect.forEach([...(yield* snapshotFiles(published)), ...months], verifySize, {
      concurrency: 8,
      discard: true
    })
  }
  if ((yield* Home).place.buildsLake) yield* verifyChanges(current, records?.changesSeen ?? new Map())
  return stopped
})
