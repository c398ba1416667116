import { Effect } from "effect"
import { FileDamaged } from "../src/lake/FileDamaged.ts"
import { Home } from "../src/lake/Home.ts"
import { readJson } from "../src/lake/writeFile.ts"
import { RunReport } from "./RunReport.ts"

/** The report of a run. Fails with `FileDamaged` where there is none, or one of another run. */
export const readReport = Effect.fnUntraced(function* (run: string) {
  const file = (yield* Home).run(run)
  const report = yield* readJson(file, RunReport)
  return report.run === run ? report : yield* new FileDamaged({ file, what: `it is the report of ${report.run}` })
})
