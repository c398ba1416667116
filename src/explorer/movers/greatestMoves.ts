import { queryNamed } from "../queryNamed.ts"

/** Every move that its parameters leave. */
export const movers = queryNamed("movers/movers")

/** The greatest gains and the greatest falls, so many of each, and how many there are of each. */
export const greatestMoves = (by: "size" | "percent_size", most: number): string =>
  `select * from (
     select *, row_number() over (partition by change > 0 order by ${by} desc, product_id, finish, source) as place,
       count(*) over (partition by change > 0) as moves
     from (${movers})
   ) where place <= ${most} order by place`
