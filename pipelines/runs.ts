import * as Effect from "effect/Effect"
import * as Command from "effect/cli/Command"
import { shownText } from "../src/contract/shownText.ts"
import { printJson, printText } from "./print/printAnswer.ts"
import { textTable } from "../src/observe/textTable.ts"
import { home, json } from "./flags/sharedFlags.ts"

/** Letters of a sentence that keep the table readable. */
const maxReasonLength = 60

const shortened = (sentence: string | null | undefined): string | null =>
  sentence === null || sentence === undefined ? null : shownText(sentence, maxReasonLength)

/** What earlier runs did, newest first. */
export const runs = Command.make(
  "runs",
  { home, json },
  Effect.fnUntraced(function* ({ json }) {
    const { listRuns } = yield* Effect.promise(() => import("../src/observe/listRuns.ts"))
    const reports = yield* listRuns
    if (json) return yield* printJson(reports)
    if (reports.length === 0) return yield* printText("No runs yet. Start the first with: cardlake nightly")
    const rows = reports.map((report) => [
      report.run,
      report.startedAt.slice(0, 19).replace("T", " "),
      report.kind,
      report.verdict,
      shortened(report.reason) ?? report.games.map((game) => `${game.gameId} ${game.verdict}`).join(", "),
      report.seconds.toFixed(1),
      shortened(report.why)
    ])
    const table = textTable(["run", "started (UTC)", "kind", "verdict", "games", "seconds", "why"], rows)
    const isCut = reports.some(({ reason, why }) => [reason, why].some((text) => (text?.length ?? 0) > maxReasonLength))
    return yield* printText(isCut ? `${table}\nFull sentences: cardlake runs --json` : table)
  })
).pipe(
  Command.withDescription("List the runs of this home, newest first"),
  Command.withExamples([{ command: "cardlake runs --json", description: "Every report as a JSON array" }])
)
