import type { Json } from "@duckdb/node-api"
import { Effect } from "effect"
import { exactRows } from "../../store/lake/duckdb/Lake.ts"
import { openLake, GameNotInLake } from "../../store/lake/publish/openLake.ts"

export interface Search {
  readonly text: string
  /** Null searches all games. */
  readonly gameId: string | null
  readonly most: number
}

/** A row of the search macro. Numbers are exact texts. */
export type FoundProduct = Readonly<Record<string, Json>>

const sql = "from find_products($said, game := $game, most := $most) order by place"

/** Finds products by a user's text, best match first, in the explorer's order. */
export const runSearch = Effect.fn("runSearch")(function* ({ gameId, most, text }: Search) {
  const session = yield* openLake
  const { connection, rows } = session
  const games = (yield* rows("List the games", "select game_id from games order by game_id")).map((row) =>
    String(row["game_id"])
  )
  if (gameId !== null && !games.includes(gameId)) return yield* new GameNotInLake({ wanted: [gameId], games })
  const products = yield* exactRows(connection)("Search products", sql, { said: text, game: gameId, most })
  return { found: Number(products[0]?.["found"] ?? 0), products }
}, Effect.scoped)
