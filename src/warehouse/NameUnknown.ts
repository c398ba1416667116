import { Runtime, Schema } from "effect"

/** A game or a table was named that is not there to export: the command line is wrong. */
export class NameUnknown extends Schema.TaggedError<NameUnknown>()("NameUnknown", {
  kind: Schema.Literals(["game", "table"]),
  wanted: Schema.Array(Schema.String),
  known: Schema.Array(Schema.String)
}) {
  override readonly [Runtime.errorExitCode] = 2

  override get message() {
    const what = `There is no ${this.kind} ${this.wanted.join(", ")} to export`
    if (this.known.length > 0) return `${what}. Choose from: ${this.known.join(", ")}`
    return `${what}: nothing has been published yet. Publish with: cardlake nightly`
  }
}
