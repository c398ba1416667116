import { Schema } from "effect"

/** A game was named that has no published snapshot. */
export class GameNotInLake extends Schema.TaggedError<GameNotInLake>()("GameNotInLake", {
  wanted: Schema.Array(Schema.String),
  games: Schema.Array(Schema.String)
}) {
  override get message() {
    const has = this.games.length === 0 ? "Nothing has been published yet" : `It has: ${this.games.join(", ")}`
    return `The lake has no game ${this.wanted.join(", ")}. ${has}`
  }
}
