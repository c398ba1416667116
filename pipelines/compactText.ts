import { grouped } from "../src/diff/amountOf.ts"
import { openNights } from "../src/lake/history/planMonths.ts"
import type { CompactedGame } from "../src/run/runCompact.ts"
import { textTable } from "../src/observe/textTable.ts"

const megabytes = (bytes: number) => (bytes / 1e6).toFixed(2)

/** What a compaction did, for a person. */
export const compactText = (games: ReadonlyArray<CompactedGame>): string => {
  if (games.length === 0)
    return `Nothing to do: every closed month is compacted, and this one has fewer than ${openNights} nights in files of their own`
  return textTable(
    ["game", "months", "from", "to", "nights", "rows", "MB before", "MB after"],
    games.map((game) => [
      game.gameId,
      grouped(game.months.length),
      game.months[0] ?? "",
      game.months.at(-1) ?? "",
      grouped(game.nights),
      grouped(game.rows),
      megabytes(game.bytesBefore),
      megabytes(game.bytesAfter)
    ])
  )
}
