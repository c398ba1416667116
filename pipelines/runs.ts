import * as Effect from "effect/Effect"
import * as Command from "effect/cli/Command"
import { printJson, printText } from "./print/printAnswer.ts"
import { textTable } from "../src/night/observe/textTable.ts"
import { home, json, line } from "./flags/sharedFlags.ts"
import { reading, inLake } from "./flags/inLake.ts"

/** What earlier runs did, newest first. */
export const runs = Command.make(
  "runs",
  { home, json, line },
  Effect.fnUntraced(function* ({ json, line, ...flags }) {
    const { listRunsAloud } = yield* Effect.promise(() => import("../src/night/observe/listRuns.ts"))
    const reports = yield* inLake(flags, reading("all", []), () => listRunsAloud)
    if (json) return yield* printJson(reports)
    if (reports.length === 0) return yield* printText("No runs yet. Start the first with: cardlake nightly")
    const rows = reports.map((report) => [
      report.run,
      report.startedAt.slice(0, 19).replace("T", " "),
      report.kind,
      report.verdict,
      report.reason ?? report.games.map((game) => `${game.gameId} ${game.verdict}`).join(", "),
      report.seconds.toFixed(1),
      report.why ?? null
    ])
    // Those of a game, which a night's table has, end before it is published.
    const heads = ["run", "started (UTC)", "kind", "verdict", "games", "seconds in all", "why"]
    // The run's id has the time, too.
    const leaveOut = ["started (UTC)", "seconds in all", "why", "kind"]
    return yield* printText(textTable(heads, rows, { leaveOut, asLines: line }))
  })
).pipe(
  Command.withDescription("List the runs of this home, newest first"),
  Command.withExamples([
    { command: "cardlake runs --line", description: "With every sentence whole" },
    { command: "cardlake runs --json", description: "Every report as a JSON array" }
  ])
)
