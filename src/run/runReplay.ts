import { join } from "node:path"
import { Clock, Effect, Schema } from "effect"
import { SnapshotId } from "../contract/Ids.ts"
import { diffSnapshots } from "../diff/diffSnapshots.ts"
import { judge } from "../diff/judge.ts"
import { Home } from "../home/Home.ts"
import { storeSnapshot } from "../lake/snapshot/storeSnapshot.ts"
import { loadSnapshot } from "../lake/load/loadSnapshot.ts"
import type { SnapshotFolder } from "../home/Manifest.ts"
import { reacceptExtraction, stillRefused } from "../lake/load/reacceptExtraction.ts"
import { extractionOf, feedBefore, replaySnapshot } from "../lake/snapshot/replaySnapshot.ts"
import { snapshotsOfGame } from "./GameNotInLake.ts"
import { beginRun, type BegunRun } from "./beginRun.ts"
import { commitRun } from "./commitRun.ts"
import { gameReport } from "./gameReport.ts"
import { publishAs } from "./publishAs.ts"
import { SnapshotUnknown } from "./runDiff.ts"

/**
 * Refused records are tried again only in the published snapshot: correcting an older one would be a rollback.
 */
export class NotCurrent extends Schema.TaggedError<NotCurrent>()("NotCurrent", {
  gameId: Schema.String,
  snapshot: SnapshotId
}) {
  override get message() {
    return `${this.snapshot} is not the published snapshot of ${this.gameId}. Leave the snapshot out to try the refused records of the published one, or return to it first: cardlake rollback ${this.gameId} ${this.snapshot}`
  }
}

const chosen = Effect.fnUntraced(function* ({ current }: BegunRun, gameId: string, wanted: string | null) {
  const known = yield* snapshotsOfGame(gameId, current)
  const id = wanted ?? current.games[gameId]?.snapshot
  const found = known.find(({ manifest }) => manifest.snapshot === id)
  return (
    found ??
    (yield* new SnapshotUnknown({ gameId, wanted: wanted === null ? "published snapshot" : `snapshot ${wanted}` }))
  )
})

/** Rebuilds a snapshot (default: the published one) from its raw pages and compares every table with its record. */
export const runReplay = Effect.fn("runReplay")(function* (gameId: string, wanted: string | null) {
  const begun = yield* beginRun("replay")
  const snapshot = yield* chosen(begun, gameId, wanted)
  const tables = yield* replaySnapshot(begun.run, snapshot)
  return {
    gameId,
    snapshot: snapshot.manifest.snapshot,
    equal: tables.every((table) => table.equal),
    tables,
    seconds: ((yield* Clock.currentTimeMillis) - begun.startedMillis) / 1000
  }
}, Effect.scoped)

/**
 * Tries the refused records of the published snapshot under the current contract. If one is accepted now, the whole
 * reading becomes a new snapshot that follows the old one and is judged like any other.
 */
export const runRefusals = Effect.fn("runRefusals")(function* (asked: {
  readonly gameId: string
  readonly wanted: string | null
  readonly why: string | null
}) {
  const { gameId, wanted, why } = asked
  const begun = yield* beginRun("replay")
  const old = yield* chosen(begun, gameId, wanted)
  const { manifest } = old
  if (begun.current.games[gameId]?.snapshot !== manifest.snapshot) {
    return yield* new NotCurrent({ gameId, snapshot: manifest.snapshot })
  }
  const extraction = yield* extractionOf(manifest)
  const still = yield* stillRefused(extraction)
  const counts = { gameId, before: manifest.snapshot, refusedBefore: extraction.refused }
  if (still === extraction.refused) {
    return { ...counts, verdict: "unchanged" as const, refused: still, snapshot: manifest.snapshot, reasons: [] }
  }
  const again = yield* reacceptExtraction(extraction, begun.run)
  const staged = yield* loadSnapshot(again, manifest, { feedBefore: yield* feedBefore(manifest) })
  const { reasons, snapshot, verdict } = yield* follow(begun, { old, staged, why })
  return { ...counts, verdict, refused: again.refused, snapshot, reasons }
}, Effect.scoped)

/** Compares, judges and publishes (or holds) a corrected snapshot. */
const follow = Effect.fnUntraced(function* (
  begun: BegunRun,
  corrected: { readonly old: SnapshotFolder; readonly staged: SnapshotFolder; readonly why: string | null }
) {
  const { old, staged, why } = corrected
  const { gameId } = old.manifest
  const changes = join((yield* Home).work(begun.run), gameId, "changes")
  const diff = yield* diffSnapshots(old, staged, changes)
  const reasons = yield* judge(old, staged, diff)
  const stored = yield* storeSnapshot(staged, changes, reasons)
  if (reasons.length === 0) {
    const { snapshot } = yield* publishAs(begun, stored, { kind: "replay", why })
    return { verdict: "published" as const, snapshot, reasons }
  }
  const seconds = ((yield* Clock.currentTimeMillis) - begun.startedMillis) / 1000
  const report = gameReport({ verdict: "held", manifest: stored.manifest, diff, previous: old, reasons })
  yield* commitRun(begun, { kind: "replay", why, games: [{ ...report, seconds }], next: null })
  return { verdict: "held" as const, snapshot: stored.manifest.snapshot, reasons }
})
