import { Schema } from "effect"

/** A file of the home is not what was written there: gone, cut, of other bytes, or something else in its place. */
export class FileDamaged extends Schema.TaggedError<FileDamaged>()("FileDamaged", {
  file: Schema.String,
  /** As a sentence goes on: `it is gone`. */
  what: Schema.String
}) {
  override get message() {
    return `${this.file} is damaged: ${this.what}. Restore it from a backup, or repair what can be repaired with: cardlake doctor --repair`
  }
}
