import { copyFile } from "node:fs/promises"
import { dirname, join } from "node:path"
import { Effect } from "effect"
import { type RunId, SnapshotId } from "../../../feed/contract/Ids.ts"
import { isThere, makeFolder, namesIn } from "../../home/disk.ts"
import { Home } from "../../home/Home.ts"
import { replaceSummed, verifyFile } from "../../home/verifyFile.ts"
import { lakeStep } from "../../../feed/reading/LakeError.ts"
import { snapshotFiles } from "../snapshot/snapshotFiles.ts"
import { readSnapshot } from "../../home/Manifest.ts"

/** The files of a game's pruned nights, also those of which only the sum is left. */
export const keptDrift = Effect.fnUntraced(function* (gameId: string) {
  const folder = dirname((yield* Home).drift(gameId, SnapshotId.make("any")))
  const files = (yield* namesIn(folder)).map((name) => name.replace(/\.sha256$/, ""))
  return [...new Set(files)].filter((name) => name.endsWith(".parquet")).map((name) => join(folder, name))
})

/**
 * Saves what the feed said beyond the contract on nights whose snapshots are about to be removed: a small file a
 * night, and nothing else has it. A damaged one is named in a warning. Doing it twice changes nothing.
 */
export const storeDrift = Effect.fn("storeDrift")(function* (
  run: RunId,
  gameId: string,
  snapshots: ReadonlyArray<SnapshotId>
) {
  const home = yield* Home
  const store = Effect.fnUntraced(function* (snapshot: SnapshotId) {
    const folder = home.snapshot(gameId, snapshot)
    const own = (yield* snapshotFiles(yield* readSnapshot(folder))).find(
      ({ file }) => file === join(folder, "drift.parquet")
    )
    if (own === undefined || !isThere(own.file)) return
    yield* verifyFile(own)
    const work = home.work(run)
    yield* makeFolder(work)
    yield* makeFolder(dirname(home.drift(gameId, snapshot)))
    const copy = join(work, "drift.parquet")
    yield* lakeStep(`Copy ${own.file}`, () => copyFile(own.file, copy))
    yield* replaceSummed(copy, home.drift(gameId, snapshot))
  })
  yield* Effect.forEach(
    snapshots,
    (snapshot) => Effect.catchTag(store(snapshot), "FileDamaged", ({ message }) => Effect.logWarning(message)),
    { discard: true }
  )
})
