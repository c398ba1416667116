import { Effect, Schema } from "effect"
import { Home } from "../../store/home/Home.ts"
import { isThere } from "../../store/home/disk.ts"
import { formatAmount, grouped } from "../../store/diff/formatAmount.ts"
import { noLake } from "../../store/lake/publish/openLake.ts"
import { ownText } from "../../feed/disk/ownText.ts"
import { askWithFacts, charactersShown, rowsShown } from "../explorer/console/askConsole.ts"
import { ownSqlIfWhole } from "../own/Own.ts"

const currentGames = ownText(new URL("./current_games.sql", import.meta.url))

/** An answer for an assistant. Every value is exact text, null = NULL. */
export const LakeAnswer = Schema.Struct({
  summary: Schema.String.annotate({ description: "The row count, whether rows were cut, and the snapshots" }),
  games: Schema.Array(
    Schema.Struct({
      game: Schema.String,
      snapshot: Schema.String,
      night: Schema.NullOr(Schema.Finite).annotate({ description: "Its number in the game's history, from 1" }),
      day: Schema.NullOr(Schema.String),
      last_reading: Schema.NullOr(Schema.String)
    })
  ).annotate({ description: "The games that the rows are of; every game of the lake if they name none, or were cut" }),
  columns: Schema.Array(Schema.Struct({ name: Schema.String, type: Schema.String })),
  rows: Schema.Array(Schema.Array(Schema.NullOr(Schema.String))).annotate({
    description: "Exact texts; null = missing"
  }),
  row_count: Schema.Finite,
  is_cut: Schema.Boolean.annotate({ description: "True if there are more rows" })
})
type Games = (typeof LakeAnswer.Type)["games"]

/** A query, and what its answer says first. */
export interface LakeQuestion {
  readonly sql: string
  readonly about?: string
}

/**
 * Runs a query under the limits of the explorer's console, and says which games, snapshots and nights the answer is of.
 * The reader's own cards are visible only with `withCollection`. Fails with NoLake before the first night.
 */
export const askLake = Effect.fnUntraced(function* ({ about, sql }: LakeQuestion, withCollection: boolean) {
  const home = yield* Home
  if (!isThere(home.lake)) return yield* noLake
  const own = withCollection ? yield* ownSqlIfWhole : null
  const { columns, facts, isCut, rows } = yield* askWithFacts({ lake: home.lake, own, sql, facts: currentGames })
  const place = columns.findIndex(({ name }) => name === "game_id")
  const named = new Set(rows.map((row) => row[place]))
  const known = (JSON.parse(facts) as Games | null) ?? []
  const ofRows = known.filter(({ game }) => named.has(game))
  const games = ofRows.length === 0 || isCut ? known : ofRows
  return {
    summary: `${about ?? ""}${summarize(rows.length, isCut, games, games === known)}`,
    games,
    columns,
    rows,
    row_count: rows.length,
    is_cut: isCut
  } satisfies typeof LakeAnswer.Type
})

const summarize = (count: number, isCut: boolean, games: Games, areAll: boolean): string => {
  const amount = isCut
    ? `Only the first ${formatAmount(count, "row")}; the rest was cut, because an answer has at most ${rowsShown} rows and ${grouped(String(charactersShown))} characters. Ask for less in the tool query: with order by and limit, fewer columns, or an aggregate`
    : formatAmount(count, "row")
  const snapshots = games.map(
    ({ day, game, last_reading, night, snapshot }) =>
      `${game}: snapshot ${snapshot}, night ${night ?? "unknown"} of ${day ?? "an unknown day"}, last read ${last_reading ?? "at an unknown time"}`
  )
  if (snapshots.length === 0) return `${amount}. No game is published`
  return `${amount}. ${areAll ? "The lake has " : ""}${snapshots.join("; ")}`
}
