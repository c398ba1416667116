import * as Effect from "effect/Effect"
import * as Argument from "effect/cli/Argument"
import * as Command from "effect/cli/Command"
import { textArgument, home, json } from "./flags/sharedFlags.ts"
import { printAnswer } from "./print/printAnswer.ts"
import { showWork } from "./print/standardError.ts"
import { inLake, writing } from "./flags/inLake.ts"
import { grouped } from "../src/store/diff/amountOf.ts"
import type { CompactedGame } from "../src/night/run/runCompact.ts"
import { textTable } from "../src/night/observe/textTable.ts"
import { megabytes } from "../src/night/observe/figureTexts.ts"

const games = textArgument("game").pipe(
  Argument.withDescription("Game ids; default: every game of the lake"),
  Argument.variadic()
)

/** Moves the history into files of a month, sorted by product. */
export const compact = Command.make(
  "compact",
  { games, home, json },
  Effect.fnUntraced(function* ({ games, json, ...flags }) {
    const { runCompact } = yield* Effect.promise(() => import("../src/night/run/runCompact.ts"))
    const work = writing<Effect.Success<ReturnType<typeof runCompact>>>(
      games.length === 0 ? null : games,
      (first, second) => ({ ...second, games: [...first.games, ...second.games] })
    )
    const done = yield* showWork({ what: "Compacting", json })(
      inLake(flags, work, (again) => runCompact(again ?? games))
    )
    const { openNights } = yield* Effect.promise(() => import("../src/store/lake/history/planMonths.ts"))
    yield* printAnswer(json, done, ({ games }) => compactText(games, openNights))
  })
).pipe(
  Command.withDescription(
    "Move the prices of closed months, and once a week those of this month, into one file per month: faster to query by product, and smaller for a large game"
  ),
  Command.withExamples([
    { command: "cardlake compact", description: "Every game; nightly does the same for those that it publishes" },
    { command: "cardlake compact magic --json", description: "One game; what was done as one JSON object" }
  ])
)

/** What a compaction did, for a person. */
const compactText = (games: ReadonlyArray<CompactedGame>, openNights: number): string => {
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
