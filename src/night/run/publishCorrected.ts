import { join } from "node:path"
import { Clock, Effect } from "effect"
import { Fault } from "../../feed/contract/Fault.ts"
import { SnapshotId } from "../../feed/contract/Ids.ts"
import { shellWord } from "../../feed/contract/shellWord.ts"
import { diffSnapshots } from "../../store/diff/diffSnapshots.ts"
import { judge, heldBack, sayings } from "../../store/diff/judge.ts"
import { readDiff } from "../../store/diff/Diff.ts"
import { heldSnapshots, type HeldSnapshot } from "../../store/home/HeldBack.ts"
import { Home } from "../../store/home/Home.ts"
import type { SnapshotFolder } from "../../store/home/Manifest.ts"
import { isThere, removeAll } from "../../store/home/disk.ts"
import { storeSnapshot } from "../../store/lake/snapshot/storeSnapshot.ts"
import type { BegunRun } from "./beginRun.ts"
import { commitRun } from "./commitRun.ts"
import { gameReport } from "./gameReport.ts"
import { publishAs } from "./publishAs.ts"
import { sameContent } from "./isSameReading.ts"

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
