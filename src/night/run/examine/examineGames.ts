import { Effect } from "effect"
import { formatAmount } from "../../../store/diff/formatAmount.ts"
import { listGames } from "../../../feed/reading/listGames.ts"
import { readCurrent } from "../../../store/home/Home.ts"
import { Fault } from "../../../feed/contract/Fault.ts"

export const gamesOffered = Effect.gen(function* () {
  const { gameIds, refused } = yield* listGames
  if (refused.length === 0) return `The key is accepted; ${formatAmount(gameIds.length, "game")}: ${gameIds.join(", ")}`
  const records = refused.map(({ gameId, index, path, reason }) =>
    [gameId ?? `games[${index}]`, path, reason].filter((text) => text !== "").join(": ")
  )
  const more = records.length > 10 ? [`${records.length - 10} more`] : []
  return yield* new Fault(
    "GamesRefused",
    `The key is accepted, but records of the list of games are refused: ${[...records.slice(0, 10), ...more].join("; ")}. Report it to the marketplace`
  )
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
  if (missing.length > 0)
    return yield* new Fault(
      "GamesMissing",
      `The lake has games that the marketplace no longer offers: ${missing.join(", ")}. See since when with: cardlake runs; then ask the marketplace whether they were withdrawn or renamed`
    )
  return "The marketplace offers every game of the lake"
})
