import { Clock, DateTime, Effect } from "effect"
import type { Diff } from "../src/diff/Diff.ts"
import { withPublications, type RunKind } from "../src/lake/Current.ts"
import { Home } from "../src/lake/Home.ts"
import type { SnapshotFolder } from "../src/lake/loadSnapshot.ts"
import { readSnapshot } from "../src/lake/snapshots.ts"
import { sweepRaw } from "../src/lake/sweepRaw.ts"
import type { BegunRun } from "./beginRun.ts"
import { commitRun } from "./commitRun.ts"
import { gameReport } from "./gameReport.ts"
import { grouped } from "./textTable.ts"

/** What a release, a rollback or a replay did. */
export interface Republished {
  readonly run: string
  readonly kind: RunKind
  readonly gameId: string
  /** Published now. */
  readonly snapshot: string
  /** Published before; null = nothing was. */
  readonly before: string | null
  readonly deploymentId: string | null
  readonly products: number
  readonly why: string | null
  readonly seconds: number
}

/** Makes a snapshot that lies in the home its game's current one, and records who did so and why. */
export const publishAs = Effect.fn("publishAs")(function* (
  begun: BegunRun,
  kind: RunKind,
  snapshot: SnapshotFolder,
  why: string | null,
  diff: Diff | null = null
) {
  const { current, run } = begun
  const { manifest } = snapshot
  const { gameId } = manifest
  const home = yield* Home
  const before = current.games[gameId]?.snapshot ?? null
  const previous = before === null ? null : yield* readSnapshot(home.snapshot(gameId, before))
  const at = DateTime.formatIso(yield* DateTime.now)
  const step = { run, kind, gameId, snapshot: manifest.snapshot, at, why }
  const seconds = ((yield* Clock.currentTimeMillis) - begun.startedMillis) / 1000
  const counted = gameReport({ verdict: "published", manifest, diff, previous, reasons: [] })
  const game = { ...counted, ...(diff === null ? { changes: null, reconciliation: null } : {}), seconds }
  // An unfinished reading has read the changelog back to what was published then.
  yield* sweepRaw(gameId, "none")
  const report = yield* commitRun(begun, { kind, why, games: [game], next: withPublications(current, [step]) })
  return {
    run,
    kind,
    gameId,
    snapshot: manifest.snapshot,
    before,
    deploymentId: manifest.deploymentId,
    products: manifest.tables["products"]?.rows ?? 0,
    why,
    seconds: report.seconds
  } satisfies Republished
})

/** One sentence for a person. */
export const republishedText = ({ before, deploymentId, gameId, products, run, snapshot }: Republished): string =>
  `${gameId}: snapshot ${snapshot} (${deploymentId ?? "no deployment"}, ${grouped(products)} products) is published${
    before === null ? "" : ` in the place of ${before}`
  }. Recorded as run ${run}`
