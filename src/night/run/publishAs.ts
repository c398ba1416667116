import { join } from "node:path"
import { Clock, DateTime, Effect, Schema } from "effect"
import { isComparedWithLast } from "../../store/diff/alignVias.ts"
import { amountOf } from "../../store/diff/amountOf.ts"
import { type RunId, SnapshotId } from "../../feed/contract/Ids.ts"
import { shownText } from "../../feed/contract/shownText.ts"
import { diffSnapshots } from "../../store/diff/diffSnapshots.ts"
import { readDiff, replaceChanges } from "../../store/diff/Diff.ts"
import { withPublications, type RunKind, Home } from "../../store/home/Home.ts"
import { type SnapshotFolder, readSnapshot } from "../../store/home/Manifest.ts"
import { publishedChain } from "../../store/lake/history/nights.ts"
import { sweepRaw } from "../../store/home/sweepRaw.ts"
import type { BegunRun } from "./beginRun.ts"
import { commitRun } from "./commitRun.ts"
import { gameReport } from "./gameReport.ts"
import { isThere } from "../../store/home/disk.ts"

/** The snapshot that it would follow in its game's history is gone, so its changes cannot be computed. */
export class PredecessorPruned extends Schema.TaggedError<PredecessorPruned>()("PredecessorPruned", {
  gameId: Schema.String,
  snapshot: SnapshotId,
  predecessor: SnapshotId
}) {
  override get message() {
    return `${this.snapshot} of ${this.gameId} would follow ${this.predecessor}, which was pruned: what changed between them can no longer be computed. Nothing was changed. Choose another one: cardlake snapshots`
  }
}

/**
 * Publishes a snapshot of the home and records who did so and why. Its changes and versions are computed again
 * if it now follows another snapshot than before.
 */
export const publishAs = Effect.fn("publishAs")(function* (
  begun: BegunRun,
  snapshot: SnapshotFolder,
  { kind, why }: { readonly kind: RunKind; readonly why: string | null }
) {
  const { current, run } = begun
  const { manifest } = snapshot
  const { gameId } = manifest
  const home = yield* Home
  const before = current.games[gameId]?.snapshot ?? null
  const previous = before === null ? null : yield* readSnapshot(home.snapshot(gameId, before))
  const at = DateTime.formatIso(yield* DateTime.now)
  const step = { run, kind, gameId, snapshot: manifest.snapshot, at, why }
  const next = withPublications(current, [step])
  const diff = yield* changesFrom(run, publishedChain(next, gameId).at(-2) ?? null, snapshot)
  const seconds = ((yield* Clock.currentTimeMillis) - begun.startedMillis) / 1000
  const counted = gameReport({ verdict: "published", manifest, diff, previous, reasons: [] })
  const isGoingOn = kind !== "rollback" && diff !== null
  const game = { ...counted, ...(isGoingOn ? {} : { changes: null, reconciliation: null }), seconds }
  // An unfinished reading has read the changelog back only to what was published then.
  yield* sweepRaw(gameId, "none")
  const report = yield* commitRun(begun, { kind, why, games: [game], next })
  return {
    run,
    kind,
    gameId,
    /** Published now. */
    snapshot: manifest.snapshot,
    /** Published before; null = nothing. */
    before,
    deploymentId: manifest.deploymentId,
    products: manifest.tables["products"]?.rows ?? 0,
    why,
    seconds: report.seconds
  }
})

/** What a release, a rollback or a replay did. */
export type Republished = Effect.Success<ReturnType<typeof publishAs>>

/**
 * The counted changes of a snapshot against the one that it follows; null if it follows none. If they are computed
 * again, they replace the old ones file by file, counts last, so that every file is there even if the run dies.
 */
const changesFrom = Effect.fnUntraced(function* (run: RunId, follows: SnapshotId | null, snapshot: SnapshotFolder) {
  const home = yield* Home
  const { gameId } = snapshot.manifest
  const known = yield* readDiff(gameId, snapshot.manifest)
  if (follows === null) return null
  const folder = home.snapshot(gameId, follows)
  const from = isThere(join(folder, "manifest.json")) ? yield* readSnapshot(folder) : null
  if (known?.from === follows && (from === null || (yield* isComparedWithLast(known, from, snapshot)))) return known
  if (from === null) {
    return yield* new PredecessorPruned({ gameId, snapshot: snapshot.manifest.snapshot, predecessor: follows })
  }
  const staged = join(home.work(run), gameId, "changes")
  const diff = yield* diffSnapshots(from, snapshot, staged)
  yield* replaceChanges(staged, diff)
  return diff
})

/** One sentence for a person. */
export const republishedText = ({ before, deploymentId, gameId, products, run, snapshot }: Republished): string =>
  `${gameId}: snapshot ${snapshot} (${shownText(deploymentId ?? "no deployment")}, ${amountOf(products, "product")}) is published${
    before === null ? "" : ` in place of ${before}`
  }. Recorded as run ${run}`
