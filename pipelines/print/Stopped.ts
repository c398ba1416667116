import * as Runtime from "effect/Runtime"
import * as Schema from "effect/Schema"

/** A command that has printed everything and ends with its own exit code. */
export class Stopped extends Schema.TaggedError<Stopped>()("Stopped", { code: Schema.Int }) {
  override readonly [Runtime.errorExitCode] = this.code
}
