import { Schema } from "effect"

/** An operation on a drop's folder or bucket failed. What was there before is untouched. */
export class DestinationFailed extends Schema.TaggedError<DestinationFailed>()("DestinationFailed", {
  step: Schema.String,
  /** Shown to people, so without secrets. */
  reason: Schema.String,
  next: Schema.String
}) {
  override get message() {
    return `${this.step} failed: ${this.reason}. ${this.next}`
  }
}
