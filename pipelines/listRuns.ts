import { existsSync } from "node:fs"
import { readdir } from "node:fs/promises"
import { join } from "node:path"
import { Effect } from "effect"
import { Home } from "../src/lake/Home.ts"
import { lakeStep } from "../src/lake/LakeError.ts"
import { readJson } from "../src/lake/writeFile.ts"
import { RunReport } from "./RunReport.ts"

/** The reports of the home's runs, newest first. */
export const listRuns = Effect.gen(function* () {
  const home = yield* Home
  if (!existsSync(home.runs)) return []
  const names = yield* lakeStep(`List ${home.runs}`, () => readdir(home.runs))
  const reports = names.filter((name) => name.endsWith(".json")).sort((a, b) => (a < b ? 1 : -1))
  return yield* Effect.forEach(reports, (name) => readJson(join(home.runs, name), RunReport), { concurrency: 8 })
})
