import { Schema } from "effect"
import { stateFile } from "./Drop.ts"

/** What a drop has of a game is not known any more, so nights that were taken back could stay in it for good. */
export class StateLost extends Schema.TaggedError<StateLost>()("StateLost", {
  address: Schema.String,
  gameId: Schema.String,
  /** Why it is not found again in what is there. */
  what: Schema.String
}) {
  override get message() {
    return `${this.address}/${stateFile(this.gameId)} is gone, ${this.what}: nights that were taken back could stay in the drop. Put it back from a copy, or export to another destination`
  }
}
