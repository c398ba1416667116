import { Effect } from "effect"
import { flushReading } from "../../home/flushReading.ts"
import { writeHeldBack } from "../../home/HeldBack.ts"
import { Home } from "../../home/Home.ts"
import type { SnapshotFolder } from "../../home/Manifest.ts"
import { replace } from "../../home/disk.ts"

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
