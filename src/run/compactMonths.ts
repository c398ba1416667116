import { Effect } from "effect"
import type { RunId } from "../contract/Ids.ts"
import { compactMonth } from "../lake/history/compactMonth.ts"
import type { Current } from "../home/Current.ts"
import { monthsToCompact } from "../lake/history/planMonths.ts"
import { nightWarning } from "../observe/nightEvent.ts"

/**
 * Compacts the months of a night's games that are due, before the lake is published with them.
 * A failure is a warning: the night does not need them, and the next one tries again.
 */
export const compactMonths = Effect.fn("compactMonths")(
  function* (run: RunId, next: Current, games: ReadonlyArray<string>) {
    for (const gameId of games) {
      for (const plan of yield* monthsToCompact(next, gameId)) yield* compactMonth(run, plan)
    }
  },
  Effect.catch((error) => nightWarning("compact", `A month was not compacted; the night goes on. ${error.message}`))
)
