import { Schema } from "effect"

/** What is damaged cannot be rebuilt as it was: another version of Cardlake or DuckDB wrote it. */
export class NotRepairable extends Schema.TaggedError<NotRepairable>()("NotRepairable", { folder: Schema.String }) {
  override get message() {
    return `${this.folder} cannot be rebuilt as it was: this version of Cardlake writes different bytes. Restore it from a backup`
  }
}
