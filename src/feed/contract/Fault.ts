import { Data, Runtime } from "effect"

/**
 * An error of which callers need only the name and the sentence. The sentence says what happened and ends with the next
 * step. Programs read the name as `error`.
 */
export class Fault<const Tag extends string> extends Data.Error<{ readonly _tag: Tag; readonly message: string }> {
  override readonly [Runtime.errorExitCode]: number

  constructor(tag: Tag, message: string, exitCode = 1) {
    super({ _tag: tag, message })
    this.name = tag
    this[Runtime.errorExitCode] = exitCode
  }
}
