import { Effect } from "effect"
import { listRunsAndWarn } from "../src/night/observe/RunReport.ts"
import { textTable } from "../src/night/observe/textTable.ts"
import { inLake, readNeeds } from "./flags/inHome.ts"
import { printJson, printText } from "./print/printAnswer.ts"
import type * as specs from "./specs/snapshots.ts"

export const runs = Effect.fnUntraced(function* ({ json, line, ...flags }: typeof specs.runs.Input) {
  const reports = yield* inLake(flags, readNeeds("all", []), () => listRunsAndWarn)
  if (json) return yield* printJson(reports)
  if (reports.length === 0) return yield* printText("No runs yet. Start the first with: cardlake nightly")
  const rows = reports.map((report) => [
    report.run,
    report.startedAt.slice(0, 16).replace("T", " "),
    report.kind,
    report.verdict,
    report.reason ?? report.games.map((game) => `${game.gameId} ${game.verdict}`).join(", "),
    report.seconds.toFixed(1),
    report.why ?? null
  ])
  // In a night's own table, the seconds of a game exclude the publication.
  const heads = ["run", "started (UTC)", "kind", "verdict", "games", "seconds in all", "why"]
  const leaveOut = ["seconds in all", "why", "kind"]
  return yield* printText(textTable(heads, rows, { leaveOut, asLines: line }))
})
