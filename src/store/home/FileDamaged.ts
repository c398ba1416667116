import { Schema } from "effect"

/** A file of the home is not what was written there: gone, cut, changed, or replaced by something else. */
export class FileDamaged extends Schema.TaggedError<FileDamaged>()("FileDamaged", {
  file: Schema.String,
  /** Continues a sentence: `it is gone`. */
  what: Schema.String,
  /** What helps, if it is not a repair; begins a sentence. */
  next: Schema.optional(Schema.String)
}) {
  override get message() {
    const next = this.next ?? "Restore it from a backup, or repair what can be repaired with: cardlake doctor --repair"
    return `${this.file} is damaged: ${this.what}. ${next}`
  }
}
