import { Clock, Effect } from "effect"
import { replaySnapshot } from "../../store/lake/snapshot/replaySnapshot.ts"
import { snapshotsOfGame } from "../../store/lake/GameNotInLake.ts"
import { beginRun, type BegunRun } from "./beginRun.ts"
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
