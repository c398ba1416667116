import { Effect } from "effect"
import { readCurrent } from "./Home.ts"
import { readHeldBack } from "./HeldBack.ts"
import { type SnapshotFolder, unpublishedOf } from "./Manifest.ts"

export interface HeldSnapshot extends SnapshotFolder {
  readonly reasons: ReadonlyArray<string>
}

/** A game's snapshots that were held and never released, oldest first. */
export const heldSnapshots = Effect.fnUntraced(function* (gameId: string) {
  const current = yield* readCurrent
  const held: Array<HeldSnapshot> = []
  for (const { folder, manifest } of yield* unpublishedOf(current, gameId)) {
    // An unreadable mark counts; its reasons are in the run's report.
    const mark = yield* Effect.catchTag(readHeldBack(folder), "FileDamaged", () => Effect.succeed({ reasons: [] }))
    if (mark !== null) held.push({ folder, manifest, reasons: mark.reasons })
  }
  return held
})
