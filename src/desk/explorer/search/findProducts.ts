import { Effect } from "effect"
import type { PageRequest } from "../PageRequest.ts"
import { queryNamed } from "../queryNamed.ts"
import { takenFrom } from "../TakenAway.ts"

const products = queryNamed("search/products")

/** What is typed beyond this is not read. */
export const longestSearch = 300

/** Which of the products that a search finds. */
interface Some {
  readonly most: number
  readonly skip?: number
  /** Null = of all games. */
  readonly game: string | null
}

/** Everything that a search finds, if its address asks for a file. */
export const takeFound = (asked: PageRequest, said: string, game: string | null) =>
  takenFrom(asked, {
    step: "Search products",
    sql: "select * from find_products($said, game := $game, most := 1000000, skip := 0) order by place",
    parameters: { said, game },
    rowsOf: asked.lake.rows
  })

/** Products that a person means by what they typed, the best first: the lake's own macro answers. */
export const findProducts = Effect.fnUntraced(function* ({ lake }: PageRequest, said: string, some: Some) {
  const rows = yield* lake.rows("Search products", products, {
    said,
    game: some.game,
    most: some.most,
    skip: some.skip ?? 0
  })
  return { rows, found: Number(rows[0]?.["found"] ?? 0) }
})
