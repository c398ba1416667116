import { Effect, Schema } from "effect"
import { isRunId, RunId } from "../../feed/contract/Ids.ts"
import { FileDamaged } from "./verifyFile.ts"
import { namesIn } from "./disk.ts"
import { readJson } from "./jsonFile.ts"
import { Home } from "./Home.ts"
import { warnOnce } from "./WorkProgress.ts"

/** What the lake's table `runs` needs from a run's report. */
const RunFile = Schema.Struct({
  run: RunId,
  startedAt: Schema.String,
  games: Schema.Array(Schema.Struct({ gameId: Schema.String, verdict: Schema.String }))
})

/** Ids of the runs that left a report, oldest first. */
export const runsWithReport = Effect.gen(function* () {
  const names = yield* namesIn((yield* Home).runs)
  return names
    .filter((name) => /[^.]\.json$/.test(name))
    .map((name) => name.slice(0, -".json".length))
    .filter(isRunId)
})

/** Checks a run's report. Fails with {@link FileDamaged} if it is not that run's. */
export const verifyRunFile = Effect.fnUntraced(function* (run: RunId) {
  const file = (yield* Home).run(run)
  const report = yield* readJson(file, RunFile)
  if (report.run !== run) return yield* new FileDamaged({ file, what: `it is the report of ${report.run}` })
})

/** The runs whose reports can be read. Any other is named in a warning and left out. */
export const readableRuns = (runs: ReadonlyArray<RunId>) =>
  Effect.filter(runs, (run) =>
    Effect.matchEffect(verifyRunFile(run), {
      onSuccess: () => Effect.succeed(true),
      onFailure: ({ message }) => Effect.as(warnOnce(message), false)
    })
  )
