import { Effect } from "effect"
import { writeHeldBack } from "../../home/HeldBack.ts"
import { Home } from "../../home/Home.ts"
import type { SnapshotFolder } from "../../home/Manifest.ts"
import { replace, syncToDisk } from "../../home/disk.ts"
import { readdir } from "node:fs/promises"
import { dirname, join } from "node:path"
import type { RunId } from "../../../feed/contract/Ids.ts"
import { lakeStep } from "../../../feed/reading/LakeError.ts"

/** More than Node has threads for, so that no thread waits for the next file. */
const flushesAtOnce = 32

/** Flushes the raw pages of a reading and the folders above them: after that, a power cut loses none of them. */
export const flushReading = Effect.fn("flushReading")(function* (gameId: string, runId: RunId) {
  const home = yield* Home
  const folder = home.raw(gameId, runId)
  const game = dirname(folder)
  const names = yield* lakeStep(`List ${folder}`, () => readdir(folder, { recursive: true }))
  const paths = [...names.map((name) => join(folder, name)), folder, game, dirname(game), home.root]
  yield* Effect.forEach(paths, syncToDisk, { concurrency: flushesAtOnce, discard: true })
})

/**
 * Moves a staged snapshot into the home, its changes first, so that a snapshot that is there
 * is whole and has the raw pages to rebuild it. Reasons make it a held one.
 */
export const storeSnapshot = Effect.fn("storeSnapshot")(function* (
  { folder, manifest }: SnapshotFolder,
  changesFolder: string | null,
  reasons: ReadonlyArray<string>
) {
  const home = yield* Home
  const { gameId, snapshot } = manifest
  // Not while they were read: by now most of them are on the disk anyway.
  yield* flushReading(gameId, manifest.runId)
  if (reasons.length > 0) yield* writeHeldBack(folder, reasons)
  if (changesFolder !== null) yield* replace(changesFolder, home.changes(gameId, snapshot))
  yield* replace(folder, home.snapshot(gameId, snapshot))
  return { folder: home.snapshot(gameId, snapshot), manifest } satisfies SnapshotFolder
})
