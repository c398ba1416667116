import { Effect } from "effect"
import type { RunId } from "../../feed/contract/Ids.ts"
import { FileDamaged } from "../../store/home/verifyFile.ts"
import { Home } from "../../store/home/Home.ts"
import { readJson } from "../../store/home/jsonFile.ts"
import { RunReport } from "./RunReport.ts"

/** The report of a run. Fails with `FileDamaged` where there is none, or one of another run. */
export const readReport = Effect.fnUntraced(function* (run: RunId) {
  const file = (yield* Home).run(run)
  const report = yield* readJson(file, RunReport)
  return report.run === run ? report : yield* new FileDamaged({ file, what: `it is the report of ${report.run}` })
})
