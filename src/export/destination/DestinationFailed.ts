import { Schema } from "effect"

/** A drop's folder or bucket did not do what it was asked. What was in place before is untouched. */
export class DestinationFailed extends Schema.TaggedError<DestinationFailed>()("DestinationFailed", {
  step: Schema.String,
  /** Without secrets: it is shown. */
  reason: Schema.String,
  next: Schema.String
}) {
  override get message() {
    return `${this.step} failed: ${this.reason}. ${this.next}`
  }
}
