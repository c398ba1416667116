import { Effect } from "effect"
import { Home } from "../../store/home/Home.ts"
import { isThere } from "../../store/home/disk.ts"
import { formatAmount, grouped } from "../../store/diff/formatAmount.ts"
import { noLake } from "../../store/lake/publish/openLake.ts"
import { ownText } from "../../feed/disk/ownText.ts"
import { askWithFacts, charactersShown, rowsShown } from "../explorer/console/askConsole.ts"
import { ownSqlIfWhole } from "../own/Own.ts"

const currentGames = ownText(new URL("./current_games.sql", import.meta.url))

/** The published snapshot of a game; null if the history does not know it. */
interface GameFacts {
  readonly game: string
  readonly snapshot: string
  /** Its number in the game's history, from 1. */
  readonly night: number | null
  readonly day: string | null
  readonly last_reading: string | null
}

/** An answer for an assistant. Every value is exact text, null = NULL. */
export interface LakeAnswer {
  /** The row count, whether rows were cut, and the snapshots, in a sentence. */
  readonly summary: string
  /** The games that the rows are of; every game of the lake if they do not name any. */
  readonly games: ReadonlyArray<GameFacts>
  readonly columns: ReadonlyArray<{ readonly name: string; readonly type: string }>
  readonly rows: ReadonlyArray<ReadonlyArray<string | null>>
  readonly row_count: number
  readonly is_cut: boolean
}

/**
 * Runs a query under the limits of the explorer's console, and says which games, snapshots and nights the answer is of.
 * The reader's own cards are visible only with `withCollection`. Fails with NoLake before the first night.
 */
export const askLake = Effect.fnUntraced(function* (sql: string, withCollection: boolean) {
  const home = yield* Home
  if (!isThere(home.lake)) return yield* noLake
  const own = withCollection ? yield* ownSqlIfWhole : null
  const { columns, facts, isCut, rows } = yield* askWithFacts({ lake: home.lake, own, sql, facts: currentGames })
  const place = columns.findIndex(({ name }) => name === "game_id")
  const named = new Set(rows.map((row) => row[place]))
  const known = (JSON.parse(facts) as LakeAnswer["games"] | null) ?? []
  const ofRows = known.filter(({ game }) => named.has(game))
  const games = ofRows.length === 0 || isCut ? known : ofRows
  return {
    summary: summarize(rows.length, isCut, games),
    games,
    columns,
    rows,
    row_count: rows.length,
    is_cut: isCut
  } satisfies LakeAnswer
})

const summarize = (count: number, isCut: boolean, games: LakeAnswer["games"]): string => {
  const amount = isCut
    ? `Only the first ${formatAmount(count, "row")}; the rest was cut, because an answer has at most ${rowsShown} rows and ${grouped(String(charactersShown))} characters. Ask for less in the tool query: with order by and limit, fewer columns, or an aggregate`
    : formatAmount(count, "row")
  const snapshots = games.map(
    ({ day, game, last_reading, night, snapshot }) =>
      `${game}: snapshot ${snapshot}, night ${night ?? "unknown"} of ${day ?? "an unknown day"}, last read ${last_reading ?? "at an unknown time"}`
  )
  return [amount, ...(snapshots.length === 0 ? ["No game is published"] : snapshots)].join(". ")
}
