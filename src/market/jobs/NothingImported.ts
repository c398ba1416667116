import { Schema } from "effect"

/** A `replace` without a row that could be imported. It fails its job, and no line is touched. */
export class NothingImported extends Schema.TaggedError<NothingImported>()("NothingImported", {
  rows: Schema.Int,
  firstReason: Schema.String
}) {
  override get message() {
    if (this.rows === 0) {
      return "The file has no rows, so no line was changed. To set lines to 0, import them with the quantity 0"
    }
    const none = this.rows === 1 ? "The file's 1 row cannot be imported" : `None of ${this.rows} rows can be imported`
    return `${none}, so no line was changed: ${this.firstReason}. Correct the file and import it again`
  }
}
