import { Effect, Option } from "effect"
import { runsWithReport } from "../../store/home/runFiles.ts"
import { readReport } from "./readReport.ts"

type Failing = Effect.Error<ReturnType<typeof readReport>>

const reportsNewestFirst = (unread: (failure: Failing) => Effect.Effect<void>) =>
  Effect.gen(function* () {
    const runs = (yield* runsWithReport).toReversed()
    const reports = yield* Effect.forEach(runs, (run) => Effect.option(Effect.tapError(readReport(run), unread)), {
      concurrency: 8
    })
    return reports.flatMap(Option.toArray)
  })

/** The reports of the home's runs that can be read, newest first. */
export const listRuns = reportsNewestFirst(() => Effect.void)

/** The same for those who ask for nothing else: any other report is named in a warning. */
export const listRunsAloud = reportsNewestFirst(({ message }) => Effect.logWarning(message))
