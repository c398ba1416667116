import { Effect } from "effect"
import { type LakeView, type Parameters, weekMoves } from "../LakeReader.ts"
import { queryNamed } from "../queryNamed.ts"

const chosen = queryNamed("movers/chosen")

/** Every move that its parameters leave. */
export const movers = `with moved as (${queryNamed("movers/movers")})\n${chosen}`

/** The same of what moved in a week, unless somebody chooses, which takes much less time; of the set alone before they are joined. */
const ofWeek = `with moved as (${queryNamed("movers/week_of_set")})\n${chosen}`

/** The greatest gains and the greatest falls, so many of each, and how many there are of each. */
export const greatestMoves = (by: "size" | "percent_size", most: number, moves = movers): string => {
  const order = `${by} desc, product_id, finish, source`
  return `with all_moves as materialized (${moves}), gains as (from all_moves where change > 0), falls as (from all_moves where change < 0)
    from (select *, (select count(*) from gains) as moves from gains order by ${order} limit ${most})
    union all
    from (select *, (select count(*) from falls) as moves from falls order by ${order} limit ${most})
    order by ${order}`
}

/** The greatest moves of a week in a set, as the movers' page has them unless somebody chooses. */
export const greatestOfWeek = Effect.fnUntraced(function* (lake: LakeView, most: number, parameters: Parameters) {
  yield* weekMoves(lake)
  return yield* lake.rows("List the greatest moves of a week", greatestMoves("size", most, ofWeek), parameters)
})
