import { Effect, Schema } from "effect"
import { RunId } from "../../contract/Ids.ts"
import { FileDamaged } from "./FileDamaged.ts"
import { namesIn } from "./disk.ts"
import { readJson } from "./jsonFile.ts"
import { Home } from "./Home.ts"

/** What the lake's table `runs` cannot do without in a run's report. */
const RunFile = Schema.Struct({
  run: RunId,
  startedAt: Schema.String,
  games: Schema.Array(Schema.Struct({ gameId: Schema.String, verdict: Schema.String }))
})

/** Ids of the runs that left a report, oldest first. */
export const runsWithReport = Effect.gen(function* () {
  const names = yield* namesIn((yield* Home).runs)
  return names.filter((name) => name.endsWith(".json")).map((name) => RunId.make(name.slice(0, -".json".length)))
})

/** Looks at a run's report. Fails with {@link FileDamaged} where it is not one of that run. */
export const verifyRunFile = Effect.fnUntraced(function* (run: RunId) {
  const file = (yield* Home).run(run)
  const report = yield* readJson(file, RunFile)
  if (report.run !== run) return yield* new FileDamaged({ file, what: `it is the report of ${report.run}` })
})

/** Those of the runs whose reports can be read. Another one is named in a warning and takes nothing away but itself. */
export const readableRuns = (runs: ReadonlyArray<RunId>) =>
  Effect.filter(runs, (run) =>
    Effect.matchEffect(verifyRunFile(run), {
      onSuccess: () => Effect.succeed(true),
      onFailure: ({ message }) => Effect.as(Effect.logWarning(message), false)
    })
  )
