import { Effect } from "effect"
import { type HeldBack, writeHeldBack } from "../../home/HeldBack.ts"
import { Home } from "../../home/Home.ts"
import type { SnapshotFolder } from "../../home/Manifest.ts"
import { pathsBelow, replace, syncToDisk } from "../../home/disk.ts"
import { dirname } from "node:path"
import type { RunId } from "../../../feed/contract/Ids.ts"
import { lakeStep } from "../../../feed/reading/LakeError.ts"

/** The number of parallel flushes, above Node's thread count, so that no thread idles. */
const maxFlushes = 32

/** Flushes a reading's raw pages and the folders above them, so that they survive a power cut. */
export const flushReading = Effect.fn("flushReading")(function* (gameId: string, runId: RunId) {
  const home = yield* Home
  const folder = home.raw(gameId, runId)
  const game = dirname(folder)
  const below = yield* lakeStep(`List ${folder}`, (disk) => pathsBelow(disk, folder))
  const paths = [...below.map(({ path }) => path), folder, game, dirname(game), home.root]
  yield* Effect.forEach(paths, syncToDisk, { concurrency: maxFlushes, discard: true })
})

/** Moves a staged snapshot into the home, after its changes and raw pages. With reasons, it is held. */
export const storeSnapshot = Effect.fn("storeSnapshot")(function* (
  { folder, manifest }: SnapshotFolder,
  changesFolder: string | null,
  held: HeldBack
) {
  const home = yield* Home
  const { gameId, snapshot } = manifest
  // Flushed only now, because by now most pages are on the disk anyway.
  yield* flushReading(gameId, manifest.runId)
  if (held.reasons.length > 0) yield* writeHeldBack(folder, held)
  if (changesFolder !== null) yield* replace(changesFolder, home.changes(gameId, snapshot))
  yield* replace(folder, home.snapshot(gameId, snapshot))
  return { folder: home.snapshot(gameId, snapshot), manifest } satisfies SnapshotFolder
})
