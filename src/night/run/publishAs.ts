import { join } from "node:path"
import { Clock, DateTime, Effect } from "effect"
import { isComparedWithLast } from "../../store/diff/openSnapshots.ts"
import { formatAmount } from "../../store/diff/formatAmount.ts"
import { Fault } from "../../feed/contract/Fault.ts"
import { type RunId, SnapshotId } from "../../feed/contract/Ids.ts"
import { shownText } from "../../feed/contract/shownText.ts"
import { diffSnapshots } from "../../store/diff/diffSnapshots.ts"
import { readDiff, replaceChanges } from "../../store/home/Diff.ts"
import { withPublications, type RunKind, Home, type Current, readCurrent } from "../../store/home/Home.ts"
import { type SnapshotFolder, readSnapshot } from "../../store/home/Manifest.ts"
import { publishedChain } from "../../store/lake/history/nights.ts"
import { sweepRaw } from "../../store/home/setAside.ts"
import { type BegunRun, beginRun } from "./beginRun.ts"
import { commitRun, gameReport } from "./commitRun.ts"
import { isThere, removeAll } from "../../store/home/disk.ts"
import { shellWord } from "../../feed/contract/shellWord.ts"
import { judge, heldBack, sayings } from "../../store/diff/judge.ts"
import { heldSnapshots, type HeldSnapshot, storeSnapshot } from "../../store/home/HeldBack.ts"
import { sameContent } from "./isSameReading.ts"
import { snapshotsOfGame } from "../../store/lake/publish/openLake.ts"

/** Publishes a snapshot with the person's reason. Recomputes changes and versions after another predecessor. */
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
  const { deploymentId, snapshot: id } = manifest
  const step = { run, kind, gameId, snapshot: id, deploymentId, at, why }
  const next = withPublications(current, [step])
  const diff = yield* changesFrom(run, publishedChain(next, gameId).at(-2) ?? null, snapshot)
  const seconds = ((yield* Clock.currentTimeMillis) - begun.startedMillis) / 1000
  const counted = gameReport({ verdict: "published", manifest, diff, previous, reasons: [] })
  const isGoingOn = kind !== "rollback" && diff !== null
  const game = { ...counted, ...(isGoingOn ? {} : { changes: null, reconciliation: null }), seconds }
  // An unfinished reading has the changelog only since the snapshot that was published then.
  yield* sweepRaw(gameId, "none")
  const report = yield* commitRun(begun, { kind, why, games: [game], next })
  return {
    run,
    kind,
    gameId,
    /** The published snapshot. */
    snapshot: manifest.snapshot,
    /** The previously published snapshot; null if there was none. */
    before,
    deploymentId: manifest.deploymentId,
    products: manifest.tables["products"]?.rows ?? 0,
    why,
    seconds: report.seconds
  }
})

export type Republished = Effect.Success<ReturnType<typeof publishAs>>

/**
 * Returns the counted changes since the preceding snapshot; null without one. Recomputed files replace old ones one by
 * one, counts last, so that none is missing if the run dies.
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
    return yield* new Fault(
      "PredecessorPruned",
      `${snapshot.manifest.snapshot} of ${gameId} would follow ${follows}, which was pruned: what changed between them can no longer be computed. Nothing was changed. Choose another one: cardlake snapshots`
    )
  }
  const staged = join(home.work(run), gameId, "changes")
  const diff = yield* diffSnapshots(from, snapshot, staged)
  yield* replaceChanges(staged, diff)
  return diff
})

/** Describes the publication in one sentence. */
export const republishedText = ({ before, deploymentId, gameId, products, run, snapshot }: Republished): string =>
  `${gameId}: snapshot ${snapshot} (${shownText(deploymentId ?? "no deployment")}, ${formatAmount(products, "product")}) is published${
    before === null ? "" : ` in place of ${before}`
  }. Recorded as run ${run}`

export interface Corrected {
  /** The source of the correction: the published snapshot, or a held one. */
  readonly read: SnapshotFolder | HeldSnapshot
  /** The published snapshot; null if there is none. */
  readonly old: SnapshotFolder | null
  readonly staged: SnapshotFolder
  readonly why: string | null
}

/** Deletes pages of a run without a snapshot when its scope closes. Otherwise a night would resume them. */
export const removingPages = Effect.fnUntraced(function* ({ run }: BegunRun, gameId: string) {
  const home = yield* Home
  yield* Effect.addFinalizer(() =>
    isThere(home.snapshot(gameId, SnapshotId.make(run)))
      ? Effect.void
      : Effect.ignore(removeAll("Remove the copied pages", [home.raw(gameId, run)]))
  )
})

/** Compares and judges a corrected snapshot, then publishes or holds it, unless it brings nothing new. */
export const publishCorrected = Effect.fnUntraced(function* (begun: BegunRun, { old, read, staged, why }: Corrected) {
  const { gameId } = staged.manifest
  if (old !== null && (yield* sameContent(old, staged))) {
    return { verdict: "unchanged" as const, snapshot: old.manifest.snapshot, reasons: [] }
  }
  const isSameHold =
    "reasons" in read &&
    read.manifest.previous === (old?.manifest.snapshot ?? null) &&
    (yield* sameContent(read, staged))
  if (isSameHold) {
    const reasons = yield* judge(old, read, yield* readDiff(gameId, read.manifest))
    if (reasons.length > 0)
      return { verdict: "held" as const, snapshot: read.manifest.snapshot, reasons: sayings(reasons) }
  }
  const later = (yield* heldSnapshots(gameId)).at(-1)?.manifest.snapshot
  if (later !== undefined && later > read.manifest.snapshot) {
    const game = shellWord(gameId)
    return yield* new Fault(
      "LaterHeld",
      `${later} of ${gameId} was read later, and is held: a correction of ${read.manifest.snapshot} would hide it. Nothing was changed. Read that one again with: cardlake replay ${game} ${later} --dialect auto; or publish it as it is: cardlake release ${game} ${later}`
    )
  }
  if (isSameHold) {
    const { snapshot } = yield* publishAs(begun, read, { kind: "replay", why })
    return { verdict: "published" as const, snapshot, reasons: [] }
  }
  const changes = join((yield* Home).work(begun.run), gameId, "changes")
  const diff = old === null ? null : yield* diffSnapshots(old, staged, changes)
  const reasons = yield* judge(old, staged, diff)
  const stored = yield* storeSnapshot(staged, diff === null ? null : changes, heldBack(reasons))
  if (reasons.length === 0) {
    const { snapshot } = yield* publishAs(begun, stored, { kind: "replay", why })
    return { verdict: "published" as const, snapshot, reasons: [] }
  }
  const seconds = ((yield* Clock.currentTimeMillis) - begun.startedMillis) / 1000
  const report = gameReport({ verdict: "held", manifest: stored.manifest, diff, previous: old, reasons })
  yield* commitRun(begun, { kind: "replay", why, games: [{ ...report, seconds }], next: null })
  return { verdict: "held" as const, snapshot: stored.manifest.snapshot, reasons: sayings(reasons) }
})

interface ReleaseTarget {
  readonly gameId: string
  /** Null selects the newest one after the published one. */
  readonly wanted: string | null
  readonly takesBack?: boolean
}

/** Returns the requested held snapshot, and the published ones that its release would take back. */
const targetIn = Effect.fnUntraced(function* (current: Current, { gameId, takesBack = false, wanted }: ReleaseTarget) {
  const held = yield* heldSnapshots(gameId)
  const live = current.games[gameId]?.snapshot ?? ""
  const chosen =
    wanted === null
      ? held.findLast(({ manifest }) => manifest.snapshot > live)
      : held.find(({ manifest }) => manifest.snapshot === wanted)
  if (chosen === undefined) {
    yield* snapshotsOfGame(gameId, current)
    const what = wanted === null ? "no held snapshot newer than the published one" : `no held snapshot ${wanted}`
    const names = held.map((one) => one.manifest.snapshot).join(", ")
    const others = names === "" ? "" : ` It has ${names}, which you can name.`
    return yield* new Fault(
      "NothingHeld",
      `The home has ${what} of ${gameId}.${others} See them all with: cardlake snapshots`
    )
  }
  const { snapshot } = chosen.manifest
  const takenBack = publishedChain(current, gameId).filter((night) => night > snapshot)
  if (takenBack.length > 0 && !takesBack)
    return yield* new Fault(
      "WouldTakeBack",
      `${snapshot} of ${gameId} is older than the published snapshot: releasing it takes back ${takenBack.join(", ")} and their prices in the history. Nothing was changed. To do it: cardlake release ${shellWord(gameId)} ${snapshot} --take-back`
    )
  return { chosen, takenBack }
})

/** Returns what a release would publish and take back, without changes. */
export const planRelease = Effect.fn("planRelease")(function* (target: ReleaseTarget) {
  return yield* targetIn(yield* readCurrent, target)
})

/** Publishes a held snapshot. Fails with `WouldTakeBack` if later nights are published and not to be taken back. */
export const runRelease = Effect.fn("runRelease")(function* (target: ReleaseTarget & { readonly why: string | null }) {
  const begun = yield* beginRun("release")
  const { chosen, takenBack } = yield* targetIn(begun.current, target)
  const released = yield* publishAs(begun, chosen, { kind: "release", why: target.why })
  return { ...released, reasons: chosen.reasons, takenBack }
}, Effect.scoped)
