import { Effect } from "effect"
import type { SnapshotId } from "../../src/feed/contract/Ids.ts"
import { diffSnapshots } from "../../src/store/diff/diffSnapshots.ts"
import { Home, type Current, withPublications } from "../../src/store/home/Home.ts"
import { lockHome } from "../../src/store/home/lock/lockHome.ts"
import type { SnapshotFolder } from "../../src/store/home/Manifest.ts"
import { publish } from "../../src/store/lake/publish/publish.ts"
import { type Said, snapshotOf } from "../store/lake/handMadeNights.ts"
import { gameId } from "../store/lake/invented.ts"

/** Publishes what a feed said on these nights, each after the one before it. */
export const publishNights = Effect.fnUntraced(function* (
  nights: ReadonlyArray<readonly [id: SnapshotId, said: Said & { readonly completedAt: string }]>
) {
  const home = yield* Home
  let before: SnapshotFolder | null = null
  let current: Current = { games: {}, history: [] }
  for (const [id, said] of nights) {
    const snapshot: SnapshotFolder = yield* snapshotOf(id, said, before)
    if (before !== null) yield* diffSnapshots(before, snapshot, home.changes(gameId, id))
    before = snapshot
    const step = { run: id, gameId, snapshot: id, deploymentId: null, at: said.completedAt, why: null }
    current = withPublications(current, [{ ...step, kind: "nightly" }])
  }
  const last = nights.at(-1)
  if (last !== undefined) yield* publish(last[0], current, yield* lockHome("nightly", last[0]))
}, Effect.scoped)
