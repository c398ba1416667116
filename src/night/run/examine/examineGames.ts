import { Effect, Schema } from "effect"
import { formatAmount } from "../../../store/diff/formatAmount.ts"
import { listGames } from "../../../feed/reading/listGames.ts"
import { readCurrent } from "../../../store/home/Home.ts"

/** Games of the lake that the marketplace does not list, or lists in an unreadable record. */
export class GamesMissing extends Schema.TaggedError<GamesMissing>()("GamesMissing", {
  missing: Schema.Array(Schema.String)
}) {
  override get message() {
    return `The lake has games that the marketplace no longer offers: ${this.missing.join(", ")}. See since when with: cardlake runs; then ask the marketplace whether they were withdrawn or renamed`
  }
}

/** The key is accepted, but the contract rejects records in the list of games. */
export class GamesRefused extends Schema.TaggedError<GamesRefused>()("GamesRefused", {
  records: Schema.Array(Schema.String)
}) {
  override get message() {
    return `The key is accepted, but records of the list of games are refused: ${this.records.join("; ")}. Report it to the marketplace`
  }
}

/** The games of the marketplace's list. */
export const gamesOffered = Effect.gen(function* () {
  const { gameIds, refused } = yield* listGames
  if (refused.length === 0) return `The key is accepted; ${formatAmount(gameIds.length, "game")}: ${gameIds.join(", ")}`
  const records = refused.map(({ gameId, index, path, reason }) =>
    [gameId ?? `games[${index}]`, path, reason].filter((text) => text !== "").join(": ")
  )
  const more = records.length > 10 ? [`${records.length - 10} more`] : []
  return yield* new GamesRefused({ records: [...records.slice(0, 10), ...more] })
})

/** The games that get a verdict in a night over all games. */
export const gamesKnown = Effect.gen(function* () {
  const { gameIds } = yield* listGames
  return [...new Set([...gameIds, ...Object.keys((yield* readCurrent).games)])]
})

export const gamesListed = Effect.gen(function* () {
  const inLake = Object.keys((yield* readCurrent).games)
  if (inLake.length === 0) return "No night has been published yet"
  const { gameIds } = yield* listGames
  const missing = inLake.filter((gameId) => !gameIds.includes(gameId))
  if (missing.length > 0) return yield* new GamesMissing({ missing })
  return "The marketplace offers every game of the lake"
})
