import { DateTime, Effect, Clock } from "effect"
import { Fault } from "../../feed/contract/Fault.ts"
import { chooseDialect } from "../../feed/contract/dialect/DialectFile.ts"
import type { Dialect } from "../../feed/contract/dialect/dialects.ts"
import { shellWord } from "../../feed/contract/shellWord.ts"
import { heldSnapshots } from "../../store/home/HeldBack.ts"
import { Home } from "../../store/home/Home.ts"
import { type SnapshotFolder, readSnapshot } from "../../store/home/Manifest.ts"
import { loadSnapshot } from "../../store/lake/load/loadSnapshot.ts"
import { readSnapshotExtraction, replaySnapshot } from "../../store/lake/snapshot/replaySnapshot.ts"
import { reacceptExtraction, stillRefused } from "../../store/lake/load/shredExtraction.ts"
import { findHeldGame } from "../observe/heldGames.ts"
import { beginRun, type BegunRun } from "./beginRun.ts"
import { publishCorrected, removingPages } from "./publishAs.ts"
import { snapshotsOfGame } from "../../store/lake/publish/openLake.ts"
import { snapshotUnknown } from "./runDiff.ts"

/** Returns the named snapshot, else the published one. */
export const chooseSnapshot = Effect.fnUntraced(function* (
  { current }: BegunRun,
  gameId: string,
  wanted: string | null
) {
  const known = yield* snapshotsOfGame(gameId, current)
  const id = wanted ?? current.games[gameId]?.snapshot
  const found = known.find(({ manifest }) => manifest.snapshot === id)
  return found ?? (yield* snapshotUnknown(gameId, wanted === null ? "published snapshot" : `snapshot ${wanted}`))
})

/** Rebuilds a snapshot (default: the published one) from its raw pages, and compares every table with its record. */
export const runReplay = Effect.fn("runReplay")(function* (gameId: string, wanted: string | null) {
  const begun = yield* beginRun("replay")
  const snapshot = yield* chooseSnapshot(begun, gameId, wanted)
  const tables = yield* replaySnapshot(begun.run, snapshot)
  return {
    gameId,
    snapshot: snapshot.manifest.snapshot,
    equal: tables.every((table) => table.equal),
    tables,
    seconds: ((yield* Clock.currentTimeMillis) - begun.startedMillis) / 1000
  }
}, Effect.scoped)

/** Only the published snapshot or one held since can be reread, because correcting an older one would be a rollback. */
const notCurrent = (gameId: string, snapshot: string) =>
  new Fault(
    "NotCurrent",
    `${snapshot} is not the published snapshot of ${gameId}. Omit the snapshot to read the published one again. To read this one, publish it first: cardlake rollback ${shellWord(gameId)} ${snapshot}`
  )

export interface Reread {
  readonly gameId: string
  /** Null selects the published one. */
  readonly wanted: string | null
  readonly why: string | null
}

/** Retries the published snapshot's refused records. If one is accepted, a new snapshot is judged. */
export const runRefusals = Effect.fn("runRefusals")(function* ({ gameId, wanted, why }: Reread) {
  const begun = yield* beginRun("replay")
  const old = yield* chooseSnapshot(begun, gameId, wanted)
  const { manifest } = old
  if (begun.current.games[gameId]?.snapshot !== manifest.snapshot) {
    return yield* notCurrent(gameId, manifest.snapshot)
  }
  const extraction = yield* readSnapshotExtraction(manifest)
  yield* removingPages(begun, gameId)
  const still = yield* stillRefused(extraction)
  const counts = { gameId, before: manifest.snapshot, refusedBefore: extraction.refused }
  if (still === extraction.refused) {
    return { ...counts, verdict: "unchanged" as const, refused: still, snapshot: manifest.snapshot, reasons: [] }
  }
  const again = yield* reacceptExtraction(extraction, begun.run, chooseDialect(extraction))
  const staged = yield* loadSnapshot(again, manifest, { feedBefore: manifest.feedBefore })
  const { reasons, snapshot, verdict } = yield* publishCorrected(begun, { read: old, old, staged, why })
  return { ...counts, verdict, refused: again.refused, snapshot, reasons }
}, Effect.scoped)

/** Returns the newest snapshot that was held since the published one; none if another one is named. */
const waiting = Effect.fnUntraced(function* ({ current }: BegunRun, { gameId, wanted }: Reread) {
  const live = current.games[gameId]?.snapshot ?? ""
  return (yield* heldSnapshots(gameId)).findLast(
    ({ manifest }) => manifest.snapshot > live && (wanted === null || manifest.snapshot === wanted)
  )
})

/**
 * Rereads the raw pages of a held snapshot, else of the published one, in a dialect (null: the one they show). A new
 * state follows the published snapshot and is judged like any other; `held` is what is still held.
 */
export const runReworded = Effect.fn("runReworded")(function* (target: Reread, dialect: Dialect | null) {
  const { gameId, wanted, why } = target
  const begun = yield* beginRun("replay")
  const held = yield* waiting(begun, target)
  const published = begun.current.games[gameId]?.snapshot ?? null
  const unread = held === undefined && published === null ? yield* findHeldGame(gameId) : null
  if (unread !== null && wanted === null)
    return yield* new Fault(
      "NothingToReread",
      `The held reading of ${gameId} has no snapshot, and nothing of the game is published, so there is nothing to replay. It was held because: ${unread.reason}. Read the game again with: cardlake nightly ${shellWord(gameId)}`
    )
  const read = held ?? (yield* chooseSnapshot(begun, gameId, wanted))
  yield* removingPages(begun, gameId)
  if (held === undefined && read.manifest.snapshot !== published) {
    return yield* notCurrent(gameId, read.manifest.snapshot)
  }
  const old = published === null ? null : yield* readSnapshot((yield* Home).snapshot(gameId, published))
  const extraction = yield* readSnapshotExtraction(read.manifest)
  // Pages do not tell which dialect file applies, so the dialect file of the reading is used.
  const words = dialect ?? (extraction.dialectFile === undefined ? null : chooseDialect(extraction))
  const again = yield* reacceptExtraction(extraction, begun.run, words)
  const staged = yield* loadSnapshot(again, old?.manifest ?? null, { feedBefore: read.manifest.feedBefore })
  const rows = ({ manifest }: SnapshotFolder, ...tables: ReadonlyArray<string>) =>
    tables.reduce((sum, table) => sum + (manifest.tables[table]?.rows ?? 0), 0)
  const found = {
    prices: rows(staged, "source_prices", "marketplace_prices"),
    externalIds: rows(staged, "external_ids"),
    pricesBefore: rows(read, "source_prices", "marketplace_prices"),
    externalIdsBefore: rows(read, "external_ids")
  }
  const done = yield* publishCorrected(begun, { read, old, staged, why })
  const waits = yield* findHeldGame(gameId)
  const stillHeld =
    waits === null
      ? null
      : {
          snapshot: waits.snapshot,
          since: DateTime.formatIso(DateTime.makeUnsafe(waits.sinceMillis)),
          reason: waits.reason
        }
  return { gameId, before: read.manifest.snapshot, dialect: again.dialect ?? null, ...found, ...done, held: stillHeld }
}, Effect.scoped)
