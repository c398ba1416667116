import { Effect, Option } from "effect"
import { runsWithReport } from "../../store/home/newRunId.ts"
import type { RunId } from "../../feed/contract/Ids.ts"
import { FileDamaged } from "../../store/home/verifyFile.ts"
import { Home } from "../../store/home/Home.ts"
import { readJson } from "../../store/home/jsonFile.ts"
import { RunReport } from "./RunReport.ts"

/** Loads the report of a run. Fails with `FileDamaged` if it is missing or belongs to another run. */
export const readReport = Effect.fnUntraced(function* (run: RunId) {
  const file = (yield* Home).run(run)
  const report = yield* readJson(file, RunReport)
  return report.run === run ? report : yield* new FileDamaged({ file, what: `it is the report of ${report.run}` })
})

type Failing = Effect.Error<ReturnType<typeof readReport>>

const reportsNewestFirst = (unread: (failure: Failing) => Effect.Effect<void>) =>
  Effect.gen(function* () {
    const runs = (yield* runsWithReport).toReversed()
    const reports = yield* Effect.forEach(runs, (run) => Effect.option(Effect.tapError(readReport(run), unread)), {
      concurrency: 8
    })
    return reports.flatMap(Option.toArray)
  })

export const listRuns = reportsNewestFirst(() => Effect.void)

/** The readable reports of the home's runs, newest first. Unreadable ones are named in warnings. */
export const listRunsAndWarn = reportsNewestFirst(({ message }) => Effect.logWarning(message))
