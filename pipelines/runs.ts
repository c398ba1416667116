import * as Console from "effect/Console"
import * as Effect from "effect/Effect"
import * as Command from "effect/cli/Command"
import { printText } from "./print/printAnswer.ts"
import { textTable } from "../src/observe/textTable.ts"
import { home, json } from "./flags/sharedFlags.ts"

/** What earlier runs did, newest first. */
export const runs = Command.make(
  "runs",
  { home, json },
  Effect.fnUntraced(function* ({ json }) {
    const { listRuns } = yield* Effect.promise(() => import("../src/observe/listRuns.ts"))
    const reports = yield* listRuns
    if (json) return yield* Console.log(JSON.stringify(reports))
    if (reports.length === 0) return yield* printText("No runs yet. Start the first with: cardlake nightly")
    const rows = reports.map((report) => [
      report.run,
      report.startedAt.slice(0, 19).replace("T", " "),
      report.kind,
      report.verdict,
      report.reason ?? report.games.map((game) => `${game.gameId} ${game.verdict}`).join(", "),
      report.seconds.toFixed(1),
      report.why
    ])
    return yield* printText(textTable(["run", "started (UTC)", "kind", "verdict", "games", "seconds", "why"], rows))
  })
).pipe(
  Command.withDescription("List the runs of this home, newest first"),
  Command.withExamples([{ command: "cardlake runs --json", description: "Every report as a JSON array" }])
)
