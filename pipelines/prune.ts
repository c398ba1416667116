import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Command from "effect/cli/Command"
import * as Flag from "effect/cli/Flag"
import { wholeNumberFlag, home, json, switchFlag } from "./flags/sharedFlags.ts"
import { inLake, pruning, reading } from "./flags/inLake.ts"
import { printAnswer, wrongUsage } from "./print/printAnswer.ts"
import { amountOf, grouped } from "../src/store/diff/amountOf.ts"
import type { runPrune } from "../src/night/run/runPrune.ts"
import { textTable } from "../src/night/observe/textTable.ts"
import { megabytes } from "../src/night/observe/figureTexts.ts"

const keepDays = wholeNumberFlag("keep-days", "N", { from: 1, to: 100_000 }).pipe(
  Flag.withDescription("Keep every snapshot read within N days"),
  Flag.optional
)
const keepLast = wholeNumberFlag("keep-last", "N", { from: 1, to: 100_000 }).pipe(
  Flag.withDescription("Keep the N newest published snapshots of every game"),
  Flag.optional
)
const keepMonthly = switchFlag("keep-monthly", "Keep the first published snapshot of every month")
const yes = switchFlag("yes", "Do it; without this flag it only says what it would do")

/** Removes old snapshots with their changes, raw pages and run reports; what the history says of them stays. */
export const prune = Command.make(
  "prune",
  { keepDays, keepLast, keepMonthly, yes, home, json },
  Effect.fnUntraced(function* ({ json, keepDays, keepLast, keepMonthly, yes, ...flags }) {
    const rules = { days: Option.getOrNull(keepDays), last: Option.getOrNull(keepLast), monthly: keepMonthly }
    if (rules.days === null && rules.last === null && !rules.monthly) {
      return yield* wrongUsage("Say what to keep: --keep-days N, --keep-last N, --keep-monthly, or several of them")
    }
    const { runPrune } = yield* Effect.promise(() => import("../src/night/run/runPrune.ts"))
    const done = yield* inLake(
      flags,
      yes ? pruning<Effect.Success<ReturnType<typeof runPrune>>>() : reading("all"),
      () => runPrune(rules, !yes)
    )
    return yield* printAnswer(json, done, pruneText)
  })
).pipe(
  Command.withDescription(
    "Remove old snapshots with their changes, raw pages and run reports, with --yes; without it, only say what would go. Prices and versions stay in the history"
  ),
  Command.withExamples([
    { command: "cardlake prune --keep-days 90 --keep-monthly", description: "What would go, and how many bytes" },
    { command: "cardlake prune --keep-last 30 --yes", description: "Remove all but thirty snapshots of every game" }
  ])
)

/** What a prune did or would do, for a person. */
const pruneText = (done: Effect.Success<ReturnType<typeof runPrune>>): string => {
  const { answers, bytes, games, isDryRun, reports } = done
  const removed = games.reduce((sum, game) => sum + game.removed.length, 0)
  if (removed + reports.length + answers === 0) return "Nothing to remove: the rules keep everything in this home"
  const table = textTable(
    ["game", "kept", "removed", "from", "to", "MB"],
    games.map((game) => [
      game.gameId,
      grouped(game.kept),
      grouped(game.removed.length),
      game.removed[0] ?? "",
      game.removed.at(-1) ?? "",
      megabytes(game.bytes)
    ])
  )
  const what = `${amountOf(removed, "snapshot")} with changes and raw pages, ${amountOf(reports.length, "run report")}${answers === 0 ? "" : `, ${amountOf(answers, "raw answer")} of backfills`}: ${isDryRun ? "about " : ""}${megabytes(bytes)} MB`
  return `${table}\n\n${isDryRun ? `Would remove ${what}. Nothing was touched; to remove it, add --yes` : `Removed ${what}`}`
}
