import { Runtime, Schema } from "effect"

/** Another runner changed the game that this runner read as a part of a night. */
export class PartTaken extends Schema.TaggedError<PartTaken>()("PartTaken", { gameId: Schema.String }) {
  override readonly [Runtime.errorExitCode] = 75

  override get message() {
    return `Another runner changed ${this.gameId} while this one read it. Its result is kept. Run this again to continue from there`
  }
}
