import { Effect, Runtime } from "effect"
import type { RunReport } from "../src/night/observe/RunReport.ts"
import { nightWarning } from "../src/night/observe/Observation.ts"
import { observe } from "../src/night/observe/observe.ts"
import { toSettings } from "./flags/sharedFlags.ts"
import { exitCodeOfRun, run, runText } from "./night/run.ts"
import type { RunOptions } from "./night/runHere.ts"
import { printAnswer, printFault, printJson, Stopped, wrongUsage } from "./print/printAnswer.ts"
import { showNight } from "./print/showProgress.ts"
import { longLog } from "./print/standardError.ts"
import type * as specs from "./specs/nights.ts"

const interrupted = "Interrupted; the pages read so far are stored. To resume, run it again: cardlake nightly"

/** Prints why a night failed, unless its events have, and ends the command. `unstored`: it was read but not stored. */
const nightFailed = Effect.fnUntraced(function* (
  { dryRun, json, log, partOf }: typeof specs.nightly.Input,
  error: { readonly message: string },
  unstored: RunReport | undefined
) {
  if (error instanceof Stopped) return yield* error
  if (log !== "json") yield* printFault(error.message)
  if (unstored !== undefined) yield* printAnswer(json, unstored, runText)
  else if (json)
    yield* printJson({ run: null, verdict: "failed", reason: error.message, games: [], ...(dryRun ? { dryRun } : {}) })
  const code = Runtime.getErrorExitCode(error)
  return yield* new Stopped({ code: log === "json" && partOf === null ? 1 : code })
})

const runRequested = Effect.fnUntraced(function* (
  input: typeof specs.nightly.Input,
  onUnstored: (report: RunReport) => void
) {
  const { exportTo, games, index, log, notify, partOf, prometheus } = input
  const part = partOf === null ? null : { night: partOf, index }
  const cluster = part === null ? input.cluster : null
  const to: RunOptions = { games, settings: toSettings(input), part, cluster, log, prometheus, notify, exportTo }
  if (input.dryRun && (part !== null || cluster !== null || exportTo !== null))
    return yield* wrongUsage("A dry run publishes nothing. Leave out --part-of, --cluster and --export")
  if (cluster !== null && exportTo !== null)
    return yield* wrongUsage(
      "A night of the fleet does not export. Leave out --export, and run after it: cardlake export"
    )
  if (cluster !== null) return yield* run(to)
  const show = log === "json" ? {} : { show: showNight(process.stderr, part !== null) }
  const quiet = input.dryRun ? { isDryRun: true, notify: null, prometheus: null } : {}
  return yield* Effect.onInterrupt(run({ ...to, ...quiet, ...show, onUnstored }), () =>
    nightWarning("interrupted", interrupted)
  )
})

export const nightly = Effect.fnUntraced(function* (input: typeof specs.nightly.Input) {
  const { json, log, unchangedCode } = input
  let unstored: RunReport | undefined
  const work = runRequested(input, (report) => {
    unstored = report
  })
  const report = yield* observe(yield* longLog(log), work).pipe(
    Effect.catch((error) => nightFailed(input, error, unstored))
  )
  yield* printAnswer(json, report, runText)
  const code = exitCodeOfRun(report, unchangedCode)
  if (code > 0) return yield* new Stopped({ code })
})
