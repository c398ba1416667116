import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Argument from "effect/cli/Argument"
import * as Command from "effect/cli/Command"
import * as Flag from "effect/cli/Flag"
import { textArgument, home, json, line, spreadsheet, numberFlag, optionalArgument } from "./flags/sharedFlags.ts"
import { inLake, reading } from "./flags/inLake.ts"
import { printExact, printText, wrongUsage } from "./print/printAnswer.ts"

const game = textArgument("game").pipe(Argument.withDescription("Game id"))
const from = optionalArgument("from", "Earlier snapshot or deployment; default: the one published before")
const to = optionalArgument("to", "Later snapshot or deployment; default: the published snapshot")
const format = Flag.Literals("format", ["table", "json", "ndjson", "csv", "markdown", "html"]).pipe(
  Flag.withDescription(
    "table (the default) and json: counts and first rows; ndjson and csv: every change; markdown and html: release notes"
  ),
  Flag.optional
)
const bounds = { from: 0, to: 1_000_000 }
const minMove = numberFlag("min-move", "PERCENT", bounds).pipe(
  Flag.withDescription("Show price moves of at least this percentage; default: 20"),
  Flag.withDefault(20)
)
const minPrice = numberFlag("min-price", "PRICE", bounds).pipe(
  Flag.withDescription("Show price moves whose old or new price is at least this, in its own currency; default: 1"),
  Flag.withDefault(1)
)

/** What changed between two snapshots of a game, and whether the changelog says the same. */
export const diff = Command.make(
  "diff",
  { game, from, to, format, spreadsheet, minMove, minPrice, line, home, json },
  Effect.fnUntraced(function* ({ format, from, game, json, line, minMove, minPrice, spreadsheet, to, ...flags }) {
    const chosen = Option.getOrElse(format, () => (json ? "json" : "table"))
    if (json && chosen !== "json") {
      return yield* wrongUsage(`Choose one of --json and --format ${chosen}`)
    }
    if (spreadsheet && chosen !== "csv") {
      return yield* wrongUsage("--spreadsheet is for CSV. Add --format csv")
    }
    const { printChanges, runDiff } = yield* Effect.promise(() => import("../src/night/run/runDiff.ts"))
    const [earlier, later] = [Option.getOrNull(from), Option.getOrNull(to)]
    if (chosen === "csv" || chosen === "ndjson") {
      const format = spreadsheet ? "spreadsheet" : chosen
      return yield* inLake(flags, reading("recent", [game]), () =>
        printChanges({ gameId: game, from: earlier, to: later }, format)
      )
    }
    const { diffPrinted } = yield* Effect.promise(() => import("./print/diffPrinted.ts"))
    const shown = chosen === "table" ? 20 : 200
    const found = yield* inLake(flags, reading("recent", [game]), () =>
      runDiff({ gameId: game, from: earlier, to: later }, { shown, minMove, minPrice })
    )
    const text = diffPrinted[chosen](found, { asLines: line })
    return yield* chosen === "table" ? printText(text) : printExact(text)
  })
).pipe(
  Command.withDescription(
    "Compare two snapshots of a game field by field, and check the changes against the changelog"
  ),
  Command.withExamples([
    { command: "cardlake diff magic", description: "The published snapshot against the one published before it" },
    { command: "cardlake diff magic dep_1f00 dep_9c2e --json", description: "Two deployments, as JSON" },
    { command: "cardlake diff magic --format html > notes.html", description: "Release notes to mail or to publish" },
    { command: "cardlake diff magic --format csv > changes.csv", description: "Every change, a row each" }
  ])
)
