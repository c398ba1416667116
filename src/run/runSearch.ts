import type { Json } from "@duckdb/node-api"
import { Effect, Schema } from "effect"
import { Home } from "../home/Home.ts"
import { lakeStep } from "../home/LakeError.ts"
import { openLake } from "../lake/publish/openLake.ts"
import { GameNotInLake } from "./GameNotInLake.ts"

/** An earlier release made the lake. */
export class NoSearch extends Schema.TaggedError<NoSearch>()("NoSearch", { lake: Schema.String }) {
  override get message() {
    return `An earlier release made ${this.lake}, and it cannot be searched yet. The next night makes it anew; at once: cardlake doctor --repair`
  }
}

/** What somebody looks for. */
export interface Search {
  readonly said: string
  /** Null = in all games. */
  readonly gameId: string | null
  readonly most: number
}

/** A product as the macro has it; figures are exact texts. */
export type FoundProduct = Readonly<Record<string, Json>>

const sql = "from find_products($said, game := $game, most := $most) order by place"

/** Products that a person means by what they typed, the best first, as the explorer lists them. */
export const runSearch = Effect.fn("runSearch")(function* ({ gameId, most, said }: Search) {
  const { connection, rows } = yield* openLake
  const macro = "select 1 from duckdb_functions() where function_name = 'find_products' limit 1"
  if ((yield* rows("Look for the search", macro)).length === 0) {
    return yield* new NoSearch({ lake: (yield* Home).lake })
  }
  const games = (yield* rows("List the games", "select game_id from games order by game_id")).map((row) =>
    String(row["game_id"])
  )
  if (gameId !== null && !games.includes(gameId)) return yield* new GameNotInLake({ wanted: [gameId], games })
  const products = yield* lakeStep("Search products", async () =>
    (await connection.runAndReadAll(sql, { said, game: gameId, most })).getRowObjectsJson()
  )
  return {
    found: Number(products[0]?.["found"] ?? 0),
    products
  }
}, Effect.scoped)
