import { Clock, DateTime, Effect, Option, Schema } from "effect"
import type { RunId } from "../../feed/contract/Ids.ts"
import type { LakeError } from "../../feed/reading/LakeError.ts"
import { claimHome } from "../../store/home/claimHome.ts"
import { readCurrent, RunKind, Home, lastCommittedRun, type Current } from "../../store/home/Home.ts"
import { noLake } from "../../store/lake/publish/openLake.ts"
import { lakeMatches, publish } from "../../store/lake/publish/publish.ts"
import { isThere, removeAll } from "../../store/home/disk.ts"
import { dryRunCommand, type FoundLock } from "../../store/home/lock/takeLock.ts"
import { type HomeLock, lockHome } from "../../store/home/lock/lockHome.ts"
import { newRunId, runsWithReport, runMillis } from "../../store/home/newRunId.ts"
import { noPublicationIsLost } from "../../store/lake/repair/lostPublications.ts"
import { repairHome } from "../../store/lake/repair/repairHome.ts"
import { verifyPublished } from "../../store/lake/repair/damages.ts"
import { tidyHistory } from "../../store/lake/history/tidyHistory.ts"
import { readReport, RunReport, withoutPublications } from "../observe/RunReport.ts"
import { refreshFront } from "../../store/lake/front/publishFront.ts"
import { writeJson } from "../../store/home/jsonFile.ts"
import { RemoteFiles } from "../../feed/reading/RemoteFiles.ts"

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
  const { foreign, setAside } = yield* repairHome(run, current)
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

export const publishLake = (...args: Parameters<typeof publish>) => Effect.andThen(publish(...args), refreshFront)

/**
 * Corrects reports of publications that never happened, because reports are written before the commit. Unreadable
 * reports claim nothing. Only the last report can be wrong, because its run had checked the others.
 */
export const correctReports = Effect.fn("correctReports")(function* (current: Current) {
  const home = yield* Home
  const standIns = yield* RemoteFiles
  const last = lastCommittedRun(current)
  for (const run of (yield* runsWithReport).filter((run) => run > last).toReversed()) {
    // A report in the bucket was stored with its commit, perhaps for games that are not here.
    if (standIns?.isStored(home.run(run)) === true) return
    const report = Option.getOrNull(yield* Effect.option(readReport(run)))
    if (report === null) continue
    const corrected = withoutPublications(report, current)
    if (corrected !== report) yield* writeJson(home.run(run), RunReport, corrected)
    // A report without games belongs to a run that died, perhaps before it checked.
    if (report.games.length > 0) return
  }
})

const decodeKind = Schema.decodeUnknownOption(RunKind)

/** Reports a killed run: the next run, which replaced its lock, writes the report or only a message. */
export const reportDeadRun = Effect.fn("reportDeadRun")(function* (dead: FoundLock | null) {
  const home = yield* Home
  if (dead === null || runMillis(dead.holder.run) === null || isThere(home.run(dead.holder.run))) return
  const { command, host, pid, run, startedAt } = dead.holder
  if (command === dryRunCommand) return
  const again = command === "repair" ? "doctor --repair" : command
  const endedAt = dead.seenAt.toISOString()
  const reason = `The ${command} ended without a report: process ${pid} on ${host}, last seen at ${endedAt}, was killed, ran out of memory or lost power. To publish the rest, run: cardlake ${again}; if that is killed too, give it more memory`
  yield* Effect.logWarning(`Run ${run}: ${reason}`)
  const kind = decodeKind(command)
  if (Option.isNone(kind)) return
  yield* writeJson(home.run(run), RunReport, {
    run,
    kind: kind.value,
    why: null,
    startedAt,
    verdict: "failed",
    reason,
    seconds: Math.max(0, (dead.seenAt.getTime() - Date.parse(startedAt)) / 1000 || 0),
    games: []
  })
})
