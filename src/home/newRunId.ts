import { DateTime, Effect, Random } from "effect"
import { RunId } from "../contract/Ids.ts"
import { foldersIn, namesIn } from "./disk.ts"
import { Home } from "./Home.ts"
import { partFoldersOf } from "./parts.ts"
import { gamesWithSnapshots, snapshotIdsOf } from "./snapshots.ts"

const shape = /^(\d{4})(\d{2})(\d{2})T(\d{2})(\d{2})(\d{2})(\d{3})Z-[0-9a-f]{4}$/

/** Milliseconds of a run id's time; null for a text that is not a run id. */
export const millisOf = (runId: string): number | null => {
  const parts = shape.exec(runId)
  if (parts === null) return null
  const [, year, month, day, hour, minute, second, milli] = parts
  return Date.parse(`${year}-${month}-${day}T${hour}:${minute}:${second}.${milli}Z`)
}

/** The greatest id of any run that left a snapshot, a part or a report. */
const newestKnown = Effect.gen(function* () {
  const home = yield* Home
  const games = yield* gamesWithSnapshots
  const snapshots = yield* Effect.forEach(games, snapshotIdsOf)
  const parts = yield* Effect.forEach(yield* foldersIn(home.history, "game="), partFoldersOf)
  const reports = yield* namesIn(home.runs)
  return [
    ...snapshots.flat(),
    ...parts.flat().map((part) => part.run),
    ...reports.map((name) => name.replace(/\..*$/, ""))
  ]
    .filter((id) => millisOf(id) !== null)
    .reduce<string | null>((newest, id) => (newest === null || id > newest ? id : newest), null)
})

/**
 * A new run's id, sorting by time: `20261121T001500123Z-3f9a`. If the clock is behind the home's newest run, it warns
 * and takes the millisecond after that run, so that ids stay unique and in order.
 */
export const newRunId = Effect.gen(function* () {
  const now = yield* DateTime.now
  const newest = yield* newestKnown
  const newestMillis = newest === null ? null : millisOf(newest)
  const isBehind = newestMillis !== null && newestMillis >= DateTime.toEpochMillis(now)
  if (isBehind) {
    yield* Effect.logWarning(
      `The clock says ${DateTime.formatIso(now)}, but the newest run of the home is ${newest}. This run is named to sort after it; check the clock`
    )
  }
  const at = isBehind ? DateTime.makeUnsafe(newestMillis + 1) : now
  const suffix = yield* Random.nextIntBetween(0, 0x10000)
  return RunId.make(`${DateTime.formatIso(at).replaceAll(/[-:.]/g, "")}-${suffix.toString(16).padStart(4, "0")}`)
})
