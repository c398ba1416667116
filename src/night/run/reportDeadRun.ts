import { Effect, Option, Schema } from "effect"
import { RunKind, Home } from "../../store/home/Home.ts"
import { millisOf } from "../../store/home/newRunId.ts"
import type { FoundLock } from "../../store/home/lock/takeLock.ts"
import { writeJson } from "../../store/home/jsonFile.ts"
import { RunReport } from "../observe/RunReport.ts"
import { isThere } from "../../store/home/disk.ts"

const decodeKind = Schema.decodeUnknownOption(RunKind)

/**
 * Reports a run that was killed or ran out of memory: the next run, which replaced its lock, says so and writes the
 * missing report. For commands that leave no report, it only says so.
 */
export const reportDeadRun = Effect.fn("reportDeadRun")(function* (dead: FoundLock | null) {
  const home = yield* Home
  if (dead === null || millisOf(dead.holder.run) === null || isThere(home.run(dead.holder.run))) return
  const { command, host, pid, run, startedAt } = dead.holder
  const again = command === "repair" ? "doctor --repair" : command
  const endedAt = dead.seenAt.toISOString()
  const reason = `The ${command} ended without a report: process ${pid} on ${host}, last seen at ${endedAt}, was killed, ran out of memory or lost power. What it had not published will be in the lake once this has finished: cardlake ${again}; if that is killed too, give it more memory`
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
