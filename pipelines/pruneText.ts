import type { Effect } from "effect"
import { amountOf, grouped } from "../src/diff/amountOf.ts"
import type { runPrune } from "../src/run/runPrune.ts"
import { textTable } from "../src/observe/textTable.ts"

const megabytes = (bytes: number) => (bytes / 1e6).toFixed(1)

/** What a prune did or would do, for a person. */
export const pruneText = (done: Effect.Success<ReturnType<typeof runPrune>>): string => {
  const { bytes, games, isDryRun, reports } = done
  const removed = games.reduce((sum, game) => sum + game.removed.length, 0)
  if (removed + reports.length === 0) return "Everything in this home is kept; nothing to remove"
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
  const what = `${amountOf(removed, "snapshot")} with changes and raw pages, ${amountOf(reports.length, "run report")}: ${isDryRun ? "about " : ""}${megabytes(bytes)} MB`
  return `${table}\n\n${isDryRun ? `Would remove ${what}. Nothing was touched; do it with: --yes` : `Removed ${what}`}`
}
