import { Effect } from "effect"
import { bytesText } from "../src/night/observe/figureTexts.ts"
import { textTable } from "../src/night/observe/textTable.ts"
import { runPrune } from "../src/night/run/runPrune.ts"
import { grouped } from "../src/store/diff/formatAmount.ts"
import type { Work } from "../src/store/home/bucket/workInBucket.ts"
import { asDone, inLake, readNeeds } from "./flags/inHome.ts"
import { prunedText } from "./lake/describeDisk.ts"
import { printAnswer, wrongUsage } from "./print/printAnswer.ts"
import type * as specs from "./specs/snapshots.ts"

/** The work of a prune. It considers all games, then deletes unreferenced objects from the bucket. */
const pruneWork = <A>(): Work<A, never, never> => ({
  need: { games: null, of: "newest", folders: "all", runs: "all" },
  writes: { ...asDone, kind: "other", again: "all", sweeps: true }
})

export const prune = Effect.fnUntraced(function* (input: typeof specs.prune.Input) {
  const { json, keepDays, keepLast, keepMonthly, yes, ...flags } = input
  const rules = { days: keepDays, last: keepLast, monthly: keepMonthly }
  if (rules.days === null && rules.last === null && !rules.monthly) {
    return yield* wrongUsage("Say what to keep: --keep-days N, --keep-last N, --keep-monthly, or several")
  }
  const done = yield* inLake(
    flags,
    yes ? pruneWork<Effect.Success<ReturnType<typeof runPrune>>>() : readNeeds("all"),
    () => runPrune(rules, !yes)
  )
  return yield* printAnswer(json, done, pruneText)
})

const pruneText = (done: Effect.Success<ReturnType<typeof runPrune>>): string => {
  const { answers, bytes, games, isDryRun, reports } = done
  if (games.every(({ removed }) => removed.length === 0) && reports.length + answers === 0)
    return "Nothing to delete: the rules keep everything in this home"
  const table = textTable(
    ["game", "kept", "removed", "from", "to", "size"],
    games.map((game) => [
      game.gameId,
      grouped(game.kept),
      grouped(game.removed.length),
      game.removed[0] ?? "",
      game.removed.at(-1) ?? "",
      bytesText(game.bytes)
    ])
  )
  const what = prunedText(done)
  return `${table}\n\n${isDryRun ? `Would delete ${what}: about ${bytesText(bytes)}. To delete, add --yes` : `Deleted ${what}: ${bytesText(bytes)}`}`
}
