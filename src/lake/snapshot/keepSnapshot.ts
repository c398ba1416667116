import { Effect } from "effect"
import { flushReading } from "../home/flushReading.ts"
import { writeHeldBack } from "./HeldBack.ts"
import { Home } from "../home/Home.ts"
import type { SnapshotFolder } from "../load/loadSnapshot.ts"
import { replace } from "../home/disk.ts"

/**
 * Moves a staged snapshot into the home, its changes before it, so that whoever finds a
 * snapshot finds it whole, with the raw pages to make it again. Reasons make it a held one.
 */
export const keepSnapshot = Effect.fn("keepSnapshot")(function* (
  { folder, manifest }: SnapshotFolder,
  changesFolder: string | null,
  reasons: ReadonlyArray<string>
) {
  const home = yield* Home
  const { gameId, snapshot } = manifest
  // Not while they were read: by now most of them lie on the disk.
  yield* flushReading(gameId, manifest.runId)
  if (reasons.length > 0) yield* writeHeldBack(folder, reasons)
  if (changesFolder !== null) yield* replace(changesFolder, home.changes(gameId, snapshot))
  yield* replace(folder, home.snapshot(gameId, snapshot))
  return { folder: home.snapshot(gameId, snapshot), manifest } satisfies SnapshotFolder
})
