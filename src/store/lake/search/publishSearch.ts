import { Effect } from "effect"
import { ownText } from "../../../feed/disk/ownText.ts"
import type { Session } from "../duckdb/Lake.ts"

const texts = ownText(new URL("./texts.sql", import.meta.url))
const touchedProducts = ownText(new URL("./touched.sql", import.meta.url))

/** Files of the versions of a game's last night. */
export interface LastVersions {
  readonly products: string
  readonly expansions: string
}

/** The SQL that builds `search.texts`. */
export const textsSql: ReadonlyArray<string> = [texts, touchedProducts]

/** Tables whose rows are searched. */
const searched = ["products", "translations", "product_finishes"]

const ofSearchedGames = "where list_contains(getvariable('searched_games'), game_id)"
const ofTouched = "semi join touched_products using (game_id, product_id)"

/** SQL of games with so many touched products that all their rows are rewritten in order. */
const muchTouched = `select t.game_id from touched_products t group by t.game_id
having 5 * count(*) > (select count(*) from products p where p.game_id = t.game_id)`

/**
 * Updates `search.texts` for `stale` games: products touched by the last night for games in `versions`, all products
 * for the others.
 */
export const publishTexts = Effect.fnUntraced(function* (
  session: Session,
  stale: ReadonlyArray<string>,
  versions: ReadonlyMap<string, LastVersions>
) {
  const made = stale.flatMap((gameId) => versions.get(gameId) ?? [])
  const insert = (removed: string, rows: string) =>
    session.run(
      "Publish search.texts",
      [
        removed,
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
    for (const { game_id } of yield* session.rows("Find where much was touched", muchTouched)) much.add(game_id)
    yield* session.set({ searched_games: [...much].map(String) })
    yield* session.run("Leave those out", `delete from touched_products ${ofSearchedGames}`)
    yield* insert(`delete from search.texts where (game_id, product_id) in (from touched_products)`, ofTouched)
    yield* session.run("Delete what was touched", "drop table touched_products")
  }
  const whole = stale.filter((gameId) => !versions.has(gameId) || much.has(gameId))
  if (whole.length === 0) return
  yield* session.set({ searched_games: whole })
  yield* insert(`delete from search.texts ${ofSearchedGames}`, ofSearchedGames)
})

const text = (name: string): string => ownText(new URL(`./${name}.sql`, import.meta.url))

const spans = text("spans")
const finishes = text("finishes")
const oldPrices = text("old_prices")
const noOldPrices =
  "create or replace temporary table old_prices as select * exclude (key, value_before, choice) from search.figures limit 0"
const ofGames = { words: text("words"), codes: text("codes"), figures: text("figures") }
const made = [text("folded"), text("meanings"), text("tables")]

/** All SQL of the search, which identifies the program that built a lake. */
export const searchSql: ReadonlyArray<string> = [
  ...made,
  spans,
  finishes,
  oldPrices,
  ...textsSql,
  ...Object.values(ofGames)
]

/** Creates schema `search`, which macro `find_products` reads. */
export const makeSearch = (session: Session) =>
  session.run("Make a schema for searches", ["create schema search", ...made].join(";\n"))

/**
 * Updates schema `search`: texts of `stale` games (only touched products for games in `touched`), and figures where the
 * compared reading changed. Requires the games' tables and `readings`.
 */
export const publishSearch = Effect.fn("publishSearch")(function* (
  session: Session,
  stale: ReadonlyArray<string>,
  touched: ReadonlyMap<string, LastVersions>
) {
  const before = yield* comparedWith(session)
  yield* session.run("Publish search.spans", spans)
  const after = yield* comparedWith(session)
  const moved = [...new Set([...before.keys(), ...after.keys()])].filter(
    (gameId) => before.get(gameId) !== after.get(gameId)
  )
  const games = [...new Set([...stale, ...moved])]
  if (games.length === 0) return
  const publish = (name: keyof typeof ofGames) => {
    const removed = `delete from search.${name} where list_contains(getvariable('searched_games'), game_id)`
    return session.run(`Publish search.${name}`, `${removed};\n${ofGames[name]}`)
  }
  if (stale.length > 0) {
    yield* session.run("Publish search.finishes", finishes)
    yield* publishTexts(session, stale, touched)
    yield* session.set({ searched_games: stale })
    yield* publish("words")
    yield* publish("codes")
  }
  yield* session.set({ searched_games: games })
  // A damaged price of last week must not stop a publication; doctor reports it.
  yield* Effect.catchTag(session.run("Look up the prices of last week", oldPrices), "LakeError", ({ message }) =>
    Effect.andThen(
      Effect.logWarning(`Searches show no price changes: ${message}`),
      session.run("Leave out the prices of last week", noOldPrices)
    )
  )
  yield* publish("figures")
  yield* session.run("Delete the prices of last week", "drop table old_prices")
})

/** Returns the reading with which each game's prices are compared, by game. */
const comparedWith = (session: Session) =>
  Effect.map(
    session.rows("Find what prices are compared with", "select game_id, snapshot_before from search.spans"),
    (rows) => new Map(rows.map((row) => [String(row["game_id"]), String(row["snapshot_before"])]))
  )
