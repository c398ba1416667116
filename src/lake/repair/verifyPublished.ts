import { Effect } from "effect"
import type { Current } from "../../home/Current.ts"
import { Home } from "../../home/Home.ts"
import { partsOf } from "../../home/parts.ts"
import { partFiles, snapshotFiles } from "../snapshot/snapshotFiles.ts"
import { snapshotsAreThere } from "./SnapshotsGone.ts"
import { readSnapshot } from "../../home/snapshots.ts"
import { verifySize } from "../../home/verifyFile.ts"

/**
 * Checks that the files of published snapshots and months are there and of the right size, before a night reads
 * everything in vain. Fails with `FileDamaged` or `SnapshotsGone`. Sums are compared when the files are read.
 */
export const verifyPublished = Effect.fn("verifyPublished")(function* (current: Current) {
  const home = yield* Home
  yield* snapshotsAreThere(current)
  for (const [gameId, { snapshot }] of Object.entries(current.games)) {
    const published = yield* readSnapshot(home.snapshot(gameId, snapshot))
    const months = (yield* partsOf(gameId)).flatMap(partFiles)
    yield* Effect.forEach([...(yield* snapshotFiles(published)), ...months], verifySize, {
      concurrency: 8,
      discard: true
    })
  }
})
