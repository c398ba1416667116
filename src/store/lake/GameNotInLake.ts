import { Effect, Runtime, Schema } from "effect"
import type { Current } from "../home/Home.ts"
import { readSnapshots } from "../home/Manifest.ts"

/** The command line names a game without a published snapshot. */
export class GameNotInLake extends Schema.TaggedError<GameNotInLake>()("GameNotInLake", {
  wanted: Schema.Array(Schema.String),
  games: Schema.Array(Schema.String)
}) {
  override readonly [Runtime.errorExitCode] = 2

  override get message() {
    const has =
      this.games.length === 0
        ? "Nothing has been published yet. Publish with: cardlake nightly"
        : `It has: ${this.games.join(", ")}`
    return `The lake has no game ${this.wanted.join(", ")}. ${has}`
  }
}

/** Returns a game's snapshots in the home, including held ones. Fails if the game is unknown. */
export const snapshotsOfGame = Effect.fnUntraced(function* (gameId: string, { games }: Current) {
  const found = yield* readSnapshots(gameId)
  if (found.length > 0 || games[gameId] !== undefined) return found
  return yield* new GameNotInLake({ wanted: [gameId], games: Object.keys(games) })
})
