import { existsSync } from "node:fs"
import { join } from "node:path"
import { Effect } from "effect"
import { foldersIn } from "./foldersIn.ts"
import { Home } from "./Home.ts"
import type { SnapshotFolder } from "./loadSnapshot.ts"
import { Manifest } from "./Manifest.ts"
import { readJson } from "./writeFile.ts"

/** Every whole snapshot of a game in the home, published or not, oldest first. One without a manifest does not exist. */
export const snapshotsOf = Effect.fnUntraced(function* (gameId: string) {
  const home = yield* Home
  const folders = (yield* snapshotIdsOf(gameId))
    .map((name) => home.snapshot(gameId, name))
    .filter((folder) => existsSync(join(folder, "manifest.json")))
  return yield* Effect.forEach(folders, readSnapshot, { concurrency: 8 })
})

/** Ids of a game's snapshot folders, whole or not, oldest first. */
export const snapshotIdsOf = Effect.fnUntraced(function* (gameId: string) {
  const home = yield* Home
  return yield* foldersIn(join(home.snapshots, `game=${gameId}`), "snapshot=")
})

/** Ids of the games that have a folder of snapshots. */
export const gamesWithSnapshots = Effect.gen(function* () {
  const home = yield* Home
  return yield* foldersIn(home.snapshots, "game=")
})

/** A snapshot by its folder. */
export const readSnapshot = (folder: string) =>
  Effect.map(readJson(join(folder, "manifest.json"), Manifest), (manifest): SnapshotFolder => ({ folder, manifest }))
