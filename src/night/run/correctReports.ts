import { Effect, Option, Schema } from "effect"
import { lastCommittedRun, type Current, Home, RunKind } from "../../store/home/Home.ts"
import { runsWithReport, runMillis } from "../../store/home/newRunId.ts"
import { writeJson } from "../../store/home/jsonFile.ts"
import { RemoteFiles } from "../../feed/reading/RemoteFiles.ts"
import { readReport } from "../observe/listRuns.ts"
import { RunReport, withoutPublications } from "../observe/RunReport.ts"
import { dryRunCommand } from "../../store/home/lock/LockHolder.ts"
import type { FoundLock } from "../../store/home/lock/takeLock.ts"
import { isThere } from "../../store/home/disk.ts"

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
