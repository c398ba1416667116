import { Effect } from "effect"
import { sqlFile } from "../../../feed/schema/tableFile.ts"
import type { Session } from "../duckdb/Lake.ts"

const texts = sqlFile(new URL("./texts.sql", import.meta.url))
const touchedProducts = sqlFile(new URL("./touched.sql", import.meta.url))

/** The versions that a game's last night made, as files. */
export interface LastVersions {
  readonly products: string
  readonly expansions: string
}

/** The SQL of `search.texts`, which it is made by. */
export const textsSql: ReadonlyArray<string> = [texts, touchedProducts]

/** What is searched of: these tables' rows of some products. */
const searched = ["products", "translations", "product_finishes"]

const ofSearchedGames = "where list_contains(getvariable('searched_games'), game_id)"
const ofTouched = "semi join touched_products using (game_id, product_id)"

/** Games of which so much was touched that all of it is written in order again. */
const muchTouched = `select t.game_id from touched_products t group by t.game_id
having 5 * count(*) > (select count(*) from products p where p.game_id = t.game_id)`

/**
 * Brings `search.texts` to what is published of `stale` games: of those in `versions` the products that their last night
 * touched, of the others all.
 */
export const publishTexts = Effect.fnUntraced(function* (
  session: Session,
  stale: ReadonlyArray<string>,
  versions: ReadonlyMap<string, LastVersions>
) {
  const made = stale.flatMap((gameId) => versions.get(gameId) ?? [])
  const insert = (gone: string, rows: string) =>
    session.run(
      "Publish search.texts",
      [
        gone,
        ...searched.map((table) => `create or replace temporary view searched_${table} as from ${table} ${rows}`),
        texts,
        ...searched.map((table) => `drop view searched_${table}`)
      ].join(";\n")
    )
  const much = new Set<unknown>()
  if (made.length > 0) {
    yield* session.set({
      product_versions: made.map(({ products }) => products),
      expansion_versions: made.map(({ expansions }) => expansions)
    })
    yield* session.run("Look up what the last night touched", touchedProducts)
    for (const { game_id } of yield* session.rows("Ask where much was touched", muchTouched)) much.add(game_id)
    yield* session.set({ searched_games: [...much].map(String) })
    yield* session.run("Leave those out", `delete from touched_products ${ofSearchedGames}`)
    yield* insert(`delete from search.texts where (game_id, product_id) in (from touched_products)`, ofTouched)
    yield* session.run("Forget what was touched", "drop table touched_products")
  }
  const whole = stale.filter((gameId) => !versions.has(gameId) || much.has(gameId))
  if (whole.length === 0) return
  yield* session.set({ searched_games: whole })
  yield* insert(`delete from search.texts ${ofSearchedGames}`, ofSearchedGames)
})
