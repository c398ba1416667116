import { Effect } from "effect"
import type { PageRequest } from "../PageRequest.ts"
import { queryNamed } from "../queryNamed.ts"

const products = queryNamed("search_products")

/** What is typed beyond this is not read. */
export const longestSearch = 300

/** Which of the products that a search finds. */
interface Some {
  readonly most: number
  readonly skip?: number
  /** Null = of all games. */
  readonly game: string | null
}

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
