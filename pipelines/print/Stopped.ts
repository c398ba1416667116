import * as Runtime from "effect/Runtime"
import * as Schema from "effect/Schema"

/** A command that has said all there is to say and ends with an exit code of its own. */
export class Stopped extends Schema.TaggedError<Stopped>()("Stopped", { code: Schema.Int }) {
  override readonly [Runtime.errorExitCode] = this.code
}
