import { Effect } from "effect"
import { sqlFile } from "../../../feed/schema/tableFile.ts"
import type { Session } from "../duckdb/Lake.ts"
import { type LastVersions, publishTexts, textsSql } from "./publishTexts.ts"

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
