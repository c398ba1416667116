import { Effect } from "effect"
import type { Current } from "../Current.ts"
import { Home } from "../Home.ts"
import { partsOf } from "../parts.ts"
import { partFiles, snapshotFiles } from "../snapshotFiles.ts"
import { readSnapshot } from "../snapshots.ts"
import { verifySize } from "../verifyFile.ts"

/**
 * A first look at every game's published snapshot and months, so that a night does not find out after it has read everything: that their
 * files are there in their size. Fails with `FileDamaged`. The sums are compared when the files are read.
 */
export const verifyPublished = Effect.fn("verifyPublished")(function* (current: Current) {
  const home = yield* Home
  for (const [gameId, { snapshot }] of Object.entries(current.games)) {
    const published = yield* readSnapshot(home.snapshot(gameId, snapshot))
    const months = (yield* partsOf(gameId)).flatMap(partFiles)
    yield* Effect.forEach([...(yield* snapshotFiles(published)), ...months], verifySize, {
      concurrency: 8,
      discard: true
    })
  }
})
