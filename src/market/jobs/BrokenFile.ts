import { Schema } from "effect"

/** An imported file that cannot be read to its end. It fails its job, and nothing of it is applied. */
export class BrokenFile extends Schema.TaggedError<BrokenFile>()("BrokenFile", { reason: Schema.String }) {
  override get message() {
    return `The file cannot be read: ${this.reason}. Correct the file and import it again`
  }
}

/** csv-parse repeats the field that it cannot read. */
const maxReasonLength = 300

export const brokenFile = (error: unknown): BrokenFile => {
  const reason = error instanceof Error ? error.message : String(error)
  return new BrokenFile({ reason: reason.slice(0, maxReasonLength).replace(/\.$/, "") })
}
