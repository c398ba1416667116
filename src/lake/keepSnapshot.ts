import { Effect } from "effect"
import { writeHeldBack } from "./HeldBack.ts"
import { Home } from "./Home.ts"
import type { SnapshotFolder } from "./loadSnapshot.ts"
import { replace } from "./writeFile.ts"

/** Moves a staged snapshot into the home, its changes before it, so that whoever finds a snapshot finds it whole. Reasons make it a held one. */
export const keepSnapshot = Effect.fn("keepSnapshot")(function* (
  { folder, manifest }: SnapshotFolder,
  changesFolder: string | null,
  reasons: ReadonlyArray<string>
) {
  const home = yield* Home
  const { gameId, snapshot } = manifest
  if (reasons.length > 0) yield* writeHeldBack(folder, reasons)
  if (changesFolder !== null) yield* replace(changesFolder, home.changes(gameId, snapshot))
  yield* replace(folder, home.snapshot(gameId, snapshot))
  return { folder: home.snapshot(gameId, snapshot), manifest } satisfies SnapshotFolder
})
