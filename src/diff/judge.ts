import { Effect } from "effect"
import type { SnapshotFolder } from "../lake/loadSnapshot.ts"
import type { Diff } from "./Diff.ts"
import { HoldBounds } from "./HoldBounds.ts"
import { holdReasons } from "./holdReasons.ts"
import { priceCoverage } from "./priceCoverage.ts"

/** Holds a new snapshot against the published one and the game's bounds; answers why it must not be published. */
export const judge = Effect.fn("judge")(function* (
  previous: SnapshotFolder | null,
  staged: SnapshotFolder,
  diff: Diff | null
) {
  const bounds = yield* (yield* HoldBounds).of(staged.manifest.gameId)
  const coverage = previous === null ? [] : yield* priceCoverage(previous, staged)
  return holdReasons(staged.manifest, previous?.manifest ?? null, diff, coverage, bounds)
})
