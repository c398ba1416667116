import { Clock, DateTime, Effect } from "effect"
import type { RunId } from "../../feed/contract/Ids.ts"
import type { LakeError } from "../../feed/reading/LakeError.ts"
import { claimHome } from "../../store/home/claimHome.ts"
import { readCurrent, type RunKind, Home } from "../../store/home/Home.ts"
import { noLake } from "../../store/lake/publish/openLake.ts"
import { lakeMatches } from "../../store/lake/publish/publish.ts"
import { publishLake } from "./publishLake.ts"
import { isThere, removeAll } from "../../store/home/disk.ts"
import { dryRunCommand } from "../../store/home/lock/LockHolder.ts"
import { type HomeLock, lockHome } from "../../store/home/lock/lockHome.ts"
import { newRunId } from "../../store/home/newRunId.ts"
import { noPublicationIsLost } from "../../store/lake/repair/lostPublications.ts"
import { repairHome, type HeldBy } from "../../store/lake/repair/repairHome.ts"
import { verifyPublished } from "../../store/lake/repair/verifyPublished.ts"
import { tidyHistory } from "../../store/lake/history/tidyHistory.ts"
import { correctReports, reportDeadRun } from "./correctReports.ts"
import { readReport } from "../observe/listRuns.ts"

/** A run that has locked the home, but may not write to it yet. */
export interface LockedRun {
  readonly run: RunId
  readonly startedAt: string
  readonly startedMillis: number
}

/**
 * Locks the home until the scope closes, and recovers: sets aside a dead run's work, reports that run, rebuilds a lake
 * that does not match `current.json`, deletes files that months replace. Fails if published files are damaged.
 * `onFailed` runs if the disk fails meanwhile; its run is null if the home could not be locked.
 */
export const beginRun = Effect.fn("beginRun")(function* (
  command: RunKind | typeof dryRunCommand | "prune" | "compact" | "fx",
  onFailed: (locked: LockedRun | null, error: LakeError) => Effect.Effect<void, never, Home> = () => Effect.void
) {
  const home = yield* Home
  // Only a night creates a home: its folder may be mistyped.
  if (command !== "nightly" && !isThere(home.root)) return yield* noLake
  yield* claimHome
  const startedMillis = yield* Clock.currentTimeMillis
  const startedAt = DateTime.formatIso(yield* DateTime.now)
  const run = yield* newRunId
  const lock = yield* lockHome(command, run).pipe(Effect.tapErrorTag("LakeError", (error) => onFailed(null, error)))
  const locked = { run, startedAt, startedMillis }
  const skipsDamaged = command === "nightly" || command === dryRunCommand || command === "fx"
  const recovered = yield* recover(run, lock, skipsDamaged).pipe(
    Effect.tapErrorTag("LakeError", (error) => onFailed(locked, error))
  )
  return { ...locked, lock, ...recovered }
})

/** Brings the home of a locked run into the state of the last publication. */
const recover = Effect.fnUntraced(function* (run: RunId, lock: HomeLock, skipsDamaged: boolean) {
  const home = yield* Home
  yield* reportDeadRun(lock.dead)
  const current = yield* readCurrent
  yield* noPublicationIsLost(current)
  const { foreign, setAside } = yield* repairHome(run, current, heldBy)
  if (setAside.length > 0) {
    const kept = `A killed run left unfinished files; they are kept for a week in ${home.work(`removed-${run}`)}`
    yield* Effect.logWarning(`${kept}: ${setAside.join(", ")}`)
  }
  if (foreign.length > 0)
    yield* Effect.logWarning(`The home has files that Cardlake did not write: ${foreign.join(", ")}`)
  const stopped = yield* verifyPublished(current)
  const [first] = stopped.values()
  if (first !== undefined && !skipsDamaged) return yield* first.damage
  yield* correctReports(current)
  yield* Effect.addFinalizer(() => Effect.ignore(removeAll("Clean up", [home.work(run)])))
  if (!(yield* lakeMatches(current, stopped))) {
    yield* Effect.logWarning(
      "lake.duckdb was built elsewhere or by another release, or is not the last published one. It is rebuilt from the snapshots"
    )
    yield* publishLake(run, current, { ...lock, stopped })
  }
  yield* tidyHistory(run, current)
  return {
    current,
    /** Games that this run skips. Only nights and exchange rates can continue without them. */
    stopped,
    /** Unfinished work of a dead run, as listed in the report. */
    setAside
  }
})

export type BegunRun = Effect.Success<ReturnType<typeof beginRun>>

const heldBy: HeldBy = (gameId, snapshot) =>
  Effect.match(readReport(snapshot), {
    onSuccess: ({ games }) => games.some((game) => game.gameId === gameId && game.verdict === "held"),
    onFailure: () => false
  })
