import type { LakeView } from "../LakeReader.ts"
import { queryNamed } from "../queryNamed.ts"

type Lake = Pick<LakeView, "kept">

/** What moved since the reading before, the greatest of every game; once for each lake file. */
export const lastMoves = ({ kept }: Lake) => kept("See what moved", queryNamed("morning/moves"))

/** Once this has returned, what moved in a week is in `memory.week_moves`. */
export const weekMoves = ({ kept }: Lake) => kept("Find what moved in a week", queryNamed("movers/week"))
