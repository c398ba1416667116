import { Schema } from "effect"

/** What was asked for cannot be exported. */
export class ExportRefused extends Schema.TaggedError<ExportRefused>()("ExportRefused", { reason: Schema.String }) {
  override get message() {
    return this.reason
  }
}
