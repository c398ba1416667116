import { Effect } from "effect"
import { ownText } from "../../../feed/disk/ownText.ts"
import type { Session } from "../duckdb/Lake.ts"

const texts = ownText(new URL("./texts.sql", import.meta.url))

/** Tables whose rows are searched. */
const searched = ["products", "translations", "product_finishes"]

const ofSearchedGames = "where list_contains(getvariable('searched_games'), game_id)"
const ofTouched = "semi join touched_products using (game_id, product_id)"

/** SQL of games with so many touched products that all their rows are rewritten in order. */
const muchTouched = `select t.game_id from touched_products t group by t.game_id
having 5 * count(distinct product_id) > (select count(*) from products p where p.game_id = t.game_id)`

const touchedKeys = `select game_id, product_id, list_sort(keys) as keys from search.texts ${ofTouched}`

/** SQL of games in which a touched product has other names than before. */
const renamed = `select distinct game_id from keys_before b full join (${touchedKeys}) a using (game_id, product_id)
where a.keys is distinct from b.keys`

/** Updates `search.texts`: all of a new or much changed game, else touched products. Returns games with new names. */
const publishTexts = Effect.fnUntraced(function* (
  session: Session,
  stale: ReadonlyArray<string>,
  isKnown: (gameId: string) => boolean
) {
  // A few rows are read once: as a view, each of the five readers would look for them again.
  const insert = (removed: string, rows: string, kind: "table" | "view") =>
    session.run(
      "Publish search.texts",
      [
        removed,
        ...searched.map((table) => `create or replace temporary ${kind} searched_${table} as from ${table} ${rows}`),
        texts,
        ...searched.map((table) => `drop ${kind} searched_${table}`)
      ].join(";\n")
    )
  const games = (step: string, sql: string) =>
    Effect.map(session.rows(step, sql), (rows) => rows.map(({ game_id }) => String(game_id)))
  const much = yield* games("Find where much was touched", muchTouched)
  const whole = stale.filter((gameId) => !isKnown(gameId) || much.includes(gameId))
  yield* session.set({ searched_games: whole })
  if (whole.length < stale.length) {
    const before = `create or replace temporary table keys_before as ${touchedKeys}`
    yield* session.run("Leave those out", `delete from touched_products ${ofSearchedGames}; ${before}`)
    yield* insert(`delete from search.texts where (game_id, product_id) in (from touched_products)`, ofTouched, "table")
  }
  if (whole.length > 0) yield* insert(`delete from search.texts ${ofSearchedGames}`, ofSearchedGames, "view")
  return whole.length === stale.length ? whole : [...whole, ...(yield* games("Find new names", renamed))]
})

const text = (name: string): string => ownText(new URL(`./${name}.sql`, import.meta.url))

const spans = text("spans")
const finishes = text("finishes")
const ofGames = { words: text("words"), codes: text("codes"), old_prices: text("old_prices") }
const made = [text("folded"), text("meanings"), text("tables")]

/** All SQL of the search, which identifies the program that built a lake. */
export const searchSql: ReadonlyArray<string> = [...made, spans, finishes, texts, ...Object.values(ofGames)]

/** Creates schema `search`, which macro `find_products` reads. */
export const makeSearch = (session: Session) =>
  session.run("Make a schema for searches", ["create schema search", ...made].join(";\n"))

/**
 * Updates schema `search`: texts of `stale` games (of known games only those in `touched_products`), and the prices that are
 * compared with today's. Requires the games' tables and `readings`.
 */
export const publishSearch = Effect.fn("publishSearch")(function* (
  session: Session,
  stale: ReadonlyArray<string>,
  isKnown: (gameId: string) => boolean
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
    yield* session.set({ searched_games: yield* publishTexts(session, stale, isKnown) })
    yield* publish("words")
    yield* session.set({ searched_games: stale })
    yield* publish("codes")
  }
  yield* session.set({ searched_games: games })
  // A damaged price of last week must not stop a publication; doctor reports it.
  yield* Effect.catchTag(publish("old_prices"), "LakeError", ({ message }) =>
    Effect.logWarning(`Searches show no price changes: ${message}`)
  )
})

/** Returns the reading with which each game's prices are compared, by game. */
const comparedWith = (session: Session) =>
  Effect.map(
    session.rows("Find what prices are compared with", "select game_id, snapshot_before from search.spans"),
    (rows) => new Map(rows.map((row) => [String(row["game_id"]), String(row["snapshot_before"])]))
  )
