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

const text = (name: string): string => sqlFile(new URL(`./${name}.sql`, import.meta.url))

const spans = text("spans")
const finishes = text("finishes")
const oldPrices = text("old_prices")
const noOldPrices =
  "create or replace temporary table old_prices as select * exclude (key, value_before, choice) from search.figures limit 0"
const ofGames = { words: text("words"), codes: text("codes"), figures: text("figures") }
const made = [text("folded"), text("tables")]

/** All of its SQL, by which a lake knows whether this program built it. */
export const searchSql: ReadonlyArray<string> = [
  ...made,
  spans,
  finishes,
  oldPrices,
  ...textsSql,
  ...Object.values(ofGames)
]

/** Makes schema `search`, in which macro `find_products` looks. */
export const makeSearch = (session: Session) =>
  session.run("Make a schema for searches", ["create schema search", ...made].join(";\n"))

/**
 * Brings schema `search` to what is published: what is searched of games that are `stale`, of those that are in `touched` only
 * of products that their last night touched, and figures also where prices are now compared with another reading. Comes after
 * the games' tables and `readings`.
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
    const gone = `delete from search.${name} where list_contains(getvariable('searched_games'), game_id)`
    return session.run(`Publish search.${name}`, `${gone};\n${ofGames[name]}`)
  }
  if (stale.length > 0) {
    yield* session.run("Publish search.finishes", finishes)
    yield* publishTexts(session, stale, touched)
    yield* session.set({ searched_games: stale })
    yield* publish("words")
    yield* publish("codes")
  }
  yield* session.set({ searched_games: games })
  // What was published must not stop because a price of last week is damaged: doctor names it.
  yield* Effect.catchTag(session.run("Look up the prices of last week", oldPrices), "LakeError", ({ message }) =>
    Effect.andThen(
      Effect.logWarning(`Searches say nothing of price changes: ${message}`),
      session.run("Leave out the prices of last week", noOldPrices)
    )
  )
  yield* publish("figures")
  yield* session.run("Forget the prices of last week", "drop table old_prices")
})

/** The reading that each game's prices are compared with, by game. */
const comparedWith = (session: Session) =>
  Effect.map(
    session.rows("Ask what prices are compared with", "select game_id, snapshot_before from search.spans"),
    (rows) => new Map(rows.map((row) => [String(row["game_id"]), String(row["snapshot_before"])]))
  )
