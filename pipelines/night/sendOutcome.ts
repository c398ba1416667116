import { Cause, Clock, Effect, type Redacted } from "effect"
import { FleetNightFailed, type NightEnd } from "../../src/night/cluster/FleetSteps.ts"
import type { NightOutcome } from "../../src/night/observe/NightOutcome.ts"
import { exitCodeOfNight } from "../../src/night/observe/RunReport.ts"
import type { HeldGame } from "../../src/night/observe/heldGames.ts"
import { nightEvent } from "../../src/night/observe/Observation.ts"
import { postReport } from "../../src/night/observe/postJson.ts"
import { writePrometheus } from "../../src/night/observe/writePrometheus.ts"
import { Printing } from "../print/hints.ts"
import { hintedJson } from "../print/printAnswer.ts"

export interface Receivers {
  readonly prometheus: string | null
  readonly notify: Redacted.Redacted | null
}

export const logOutcome = Effect.fnUntraced(function* ({ exitCode, report }: NightOutcome) {
  const { run, seconds, verdict } = report
  yield* Effect.annotateCurrentSpan({ "cardlake.run": run, "cardlake.verdict": verdict })
  const reason = "reason" in report ? { reason: report.reason } : {}
  const dryRun = "dryRun" in report ? { dryRun: report.dryRun } : {}
  yield* nightEvent(
    "verdict",
    { ...(run === null ? {} : { run }), verdict, seconds, exitCode, games: report.games.length, ...reason, ...dryRun },
    exitCode === 0 ? "Info" : "Error"
  )
})

/** Writes the metrics of a night and posts its report, if configured. `held`: the held games, if known. */
export const sendOutcome = Effect.fnUntraced(function* <R = never>(
  outcome: NightOutcome,
  { notify, prometheus }: Receivers,
  held: Effect.Effect<{ readonly held?: ReadonlyArray<HeldGame> }, never, R> = Effect.succeed({})
) {
  if (prometheus !== null) yield* writePrometheus(prometheus, { ...outcome, ...(yield* held) })
  if (notify === null) return
  const report = JSON.parse(hintedJson(outcome.report, (yield* Printing).hintInJson)) as NightOutcome["report"]
  yield* postReport(notify, { ...outcome, report })
})

/** Sends the outcome of a fleet's night, then fails if the night could not be planned or published. */
export const sendEnd = Effect.fnUntraced(function* ({ exitCode = 1, ...report }: NightEnd, receivers: Receivers) {
  const { reason, seconds, startedAt } = report
  const endedMillis = yield* Clock.currentTimeMillis
  const outcome: NightOutcome =
    reason === undefined
      ? { report, exitCode: exitCodeOfNight(report), endedMillis }
      : { report: { run: null, startedAt, verdict: "failed", seconds, games: [], reason }, exitCode, endedMillis }
  yield* sendOutcome(outcome, receivers)
  return reason === undefined ? report : yield* new FleetNightFailed({ reason, exitCode })
})

/** Formats a failure like the command line does. */
export const formatFailure = (cause: Cause.Cause<unknown>): string => {
  const error = Cause.squash(cause)
  return error instanceof Error ? error.message : String(error)
}
