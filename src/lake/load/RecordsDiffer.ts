import { Schema } from "effect"

/** The contract that a page was read with accepted other records than this one does. */
export class RecordsDiffer extends Schema.TaggedError<RecordsDiffer>()("RecordsDiffer", {
  page: Schema.String,
  refused: Schema.Int,
  refusedNow: Schema.Int,
  first: Schema.String
}) {
  override get message() {
    return `${this.refused} records of ${this.page} were refused when it was read, and ${this.refusedNow} are now (${this.first}), so its snapshot cannot be rebuilt as it was. Use the version of Cardlake that made it, or read the game again: cardlake nightly`
  }
}
