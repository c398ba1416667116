import { Effect, Option } from "effect"
import { runsWithReport } from "../home/runFiles.ts"
import { readReport } from "./readReport.ts"

/** The reports of the home's runs that can be read, newest first. */
export const listRuns = Effect.gen(function* () {
  const runs = (yield* runsWithReport).toReversed()
  const reports = yield* Effect.forEach(runs, (run) => Effect.option(readReport(run)), { concurrency: 8 })
  return reports.flatMap(Option.toArray)
})
