import { basename, dirname, join } from "node:path"
import { Effect } from "effect"
import { SnapshotId } from "../../feed/contract/Ids.ts"
import { FileDamaged } from "./FileDamaged.ts"
import { knownContract } from "./UnsupportedContract.ts"
import { foldersIn } from "./disk.ts"
import { readJson } from "./jsonFile.ts"
import { Home } from "./Home.ts"
import { type SnapshotFolder, Manifest } from "./Manifest.ts"
import { wasPublished, type Current } from "./Current.ts"

/**
 * Every snapshot of a game in the home whose manifest can be read,
 * published or not, oldest first. `damagesOf` names the others.
 */
export const snapshotsOf = Effect.fnUntraced(function* (gameId: string) {
  const home = yield* Home
  const folders = (yield* snapshotIdsOf(gameId)).map((name) => home.snapshot(gameId, name))
  const found = yield* Effect.forEach(folders, readableSnapshot, { concurrency: 8 })
  return found.filter((snapshot) => snapshot !== null)
})

/** Those that were never published; the manifests of the many that were are not read. */
export const unpublishedOf = Effect.fnUntraced(function* (current: Current, gameId: string) {
  const home = yield* Home
  const ids = (yield* snapshotIdsOf(gameId)).filter((id) => !wasPublished(current, gameId, id))
  const found = yield* Effect.forEach(ids, (id) => readableSnapshot(home.snapshot(gameId, id)))
  return found.filter((snapshot) => snapshot !== null)
})

/** Ids of a game's snapshot folders, whole or not, oldest first. */
export const snapshotIdsOf = Effect.fnUntraced(function* (gameId: string) {
  const home = yield* Home
  const names = yield* foldersIn(join(home.snapshots, `game=${gameId}`), "snapshot=")
  return names.map((name) => SnapshotId.make(name))
})

/** Ids of the games that have a folder of snapshots. */
export const gamesWithSnapshots = Effect.gen(function* () {
  const home = yield* Home
  return yield* foldersIn(home.snapshots, "game=")
})

/** A snapshot by its folder in the home. */
export const readSnapshot = Effect.fnUntraced(function* (folder: string) {
  const file = join(folder, "manifest.json")
  const manifest = yield* readJson(file, Manifest)
  const { gameId, snapshot } = manifest
  if (basename(folder) !== `snapshot=${snapshot}` || basename(dirname(folder)) !== `game=${gameId}`) {
    return yield* new FileDamaged({ file, what: `it is the manifest of ${snapshot} of ${gameId}` })
  }
  yield* knownContract(file, manifest.contractVersion)
  return { folder, manifest } satisfies SnapshotFolder
})

/** A snapshot by its folder; null if its manifest cannot be read. */
export const readableSnapshot = (folder: string) =>
  Effect.catchTag(readSnapshot(folder), "FileDamaged", () => Effect.succeed(null))
