import { Runtime, Schema } from "effect"

/** A game was named that has no published snapshot: the command line is wrong. */
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
