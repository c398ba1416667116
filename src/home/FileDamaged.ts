import { Schema } from "effect"

/** A file of the home is not what was written there: gone, cut, changed, or replaced by something else. */
export class FileDamaged extends Schema.TaggedError<FileDamaged>()("FileDamaged", {
  file: Schema.String,
  /** Continues a sentence: `it is gone`. */
  what: Schema.String
}) {
  override get message() {
    return `${this.file} is damaged: ${this.what}. Restore it from a backup, or repair what can be repaired with: cardlake doctor --repair`
  }
}
