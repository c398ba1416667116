import { Effect } from "effect"
import { bytesText } from "../src/night/observe/figureTexts.ts"
import { textTable } from "../src/night/observe/textTable.ts"
import { type CompactedGame, runCompact } from "../src/night/run/runCompact.ts"
import { grouped } from "../src/store/diff/formatAmount.ts"
import { openNights } from "../src/store/lake/history/compactMonth.ts"
import { inLake, writing } from "./flags/inHome.ts"
import { printAnswer } from "./print/printAnswer.ts"
import { showWork } from "./print/standardError.ts"
import type * as specs from "./specs/snapshots.ts"

export const compact = Effect.fnUntraced(function* ({ games, json, ...flags }: typeof specs.compact.Input) {
  const work = writing<Effect.Success<ReturnType<typeof runCompact>>>(
    games.length === 0 ? null : games,
    (first, second) => ({ ...second, games: [...first.games, ...second.games] })
  )
  const done = yield* showWork({ what: "Compacting", json })(inLake(flags, work, (again) => runCompact(again ?? games)))
  yield* printAnswer(json, done, ({ games }) => compactText(games, openNights))
})

const compactText = (games: ReadonlyArray<CompactedGame>, openNights: number): string => {
  if (games.length === 0)
    return `Nothing to do: every closed month is compacted, and this one has fewer than ${openNights} uncompacted nights`
  return textTable(
    ["game", "months", "from", "to", "nights", "rows", "size before", "size after"],
    games.map((game) => [
      game.gameId,
      grouped(game.months.length),
      game.months[0] ?? "",
      game.months.at(-1) ?? "",
      grouped(game.nights),
      grouped(game.rows),
      bytesText(game.bytesBefore),
      bytesText(game.bytesAfter)
    ])
  )
}
