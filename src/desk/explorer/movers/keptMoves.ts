import { queryNamed } from "../queryNamed.ts"

interface Lake<Answer> {
  readonly kept: (step: string, sql: string) => Answer
}

/** What moved since the reading before, the greatest of every game; once for each lake file. */
export const lastMoves = <Answer>({ kept }: Lake<Answer>): Answer => kept("See what moved", queryNamed("morning/moves"))

/** Once this has returned, what moved in a week is in `memory.week_moves`. */
export const weekMoves = <Answer>({ kept }: Lake<Answer>): Answer =>
  kept("Find what moved in a week", queryNamed("movers/week"))
