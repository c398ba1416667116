import { Effect } from "effect"
import { dialectOf } from "../contract/dialects.ts"
import { withRoom } from "../lake/duckdb/withRoom.ts"
import type { SnapshotFolder } from "../home/Manifest.ts"
import { currencyMoves } from "./currencyMoves.ts"
import type { Diff } from "./Diff.ts"
import { HoldBounds } from "./HoldBounds.ts"
import { holdReasons } from "./holdReasons.ts"
import { openSnapshots } from "./openSnapshots.ts"
import { priceCoverage } from "./priceCoverage.ts"
import { strangeKeys } from "./strangeKeys.ts"

/** Checks a new snapshot against the published one and the game's bounds; returns why it must not be published. */
export const judge = Effect.fn("judge")(
  function* (previous: SnapshotFolder | null, staged: SnapshotFolder, diff: Diff | null) {
    const bounds = yield* (yield* HoldBounds).of(staged.manifest.gameId)
    const before = previous ?? staged
    const session = yield* openSnapshots(before, staged)
    return holdReasons(staged.manifest, previous?.manifest ?? null, {
      unclaimedRemovals: diff?.unclaimedRemovals ?? 0,
      coverage: yield* priceCoverage(session, before.manifest, staged.manifest),
      // Whoever released a snapshot with them knows about them.
      strange: previous === null ? yield* strangeKeys(session, dialectOf(staged.manifest)) : null,
      currencies: previous === null ? [] : yield* currencyMoves(session),
      bounds
    })
  },
  Effect.scoped,
  withRoom
)
