import { Effect } from "effect"
import { readCurrent, Home } from "../../../store/home/Home.ts"
import { readSnapshot } from "../../../store/home/Manifest.ts"
import { scratchSession } from "../../../store/lake/duckdb/Lake.ts"
import { snapshotRows } from "../../../store/lake/snapshot/snapshotRows.ts"
import { openLake } from "../../../store/lake/publish/openLake.ts"
import { ownText } from "../../../feed/disk/ownText.ts"
import { Fault } from "../../../feed/contract/Fault.ts"

/** A product whose history is requested. */
export interface Candidate {
  readonly gameId: string
  readonly product: number
}

const candidates = ownText(new URL("./backfillProducts.sql", import.meta.url))

/** The tables for the condition if no lake exists. */
const openTables = Effect.fnUntraced(function* (games: ReadonlyArray<string>) {
  const home = yield* Home
  const current = yield* readCurrent
  const live = yield* Effect.forEach(
    games.flatMap((gameId) => current.games[gameId]?.snapshot ?? []),
    (snapshot, index) => readSnapshot(home.snapshot(games[index] ?? "", snapshot))
  )
  const session = yield* scratchSession
  for (const table of ["products", "source_prices"])
    yield* session.run(`Open ${table}`, `create view ${table} as ${yield* snapshotRows(live, table)}`)
  return session
})

/** Returns the products of a backfill, most expensive first: those with prices, or those that meet a condition. */
export const backfillProducts = Effect.fn("backfillProducts")(function* (
  games: ReadonlyArray<string>,
  where: string | null
) {
  const session = (yield* Home).place.buildsLake ? yield* openLake : yield* openTables(games)
  yield* session.set({ backfill_games: games })
  yield* session.run("Read the products", candidates)
  const selection = session.rows(
    "Choose the products",
    `select game_id, product_id::varchar as product from candidates
     where (${where ?? "market_value is not null"}
     ) order by market_value desc nulls last, game_id, product_id`
  )
  const rows = yield* where === null
    ? selection
    : Effect.mapError(selection, ({ cause }) => {
        const [reason = ""] = (cause instanceof Error ? cause.message : String(cause)).split("\n")
        return new Fault(
          "WhereInvalid",
          `--where ${JSON.stringify(where)} is not a condition on products (${reason}). It may use the columns of table products, and market_value, the product's highest: cardlake describe products`,
          2
        )
      })
  return rows.map(({ game_id, product }): Candidate => ({ gameId: String(game_id), product: Number(product) }))
}, Effect.scoped)
