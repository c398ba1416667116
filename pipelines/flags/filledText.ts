import * as Argument from "effect/cli/Argument"
import * as Flag from "effect/cli/Flag"

const isFilled = (text: string): boolean => text.trim() !== ""

/** A flag with a text. An empty text is refused: a shell makes it of a variable that nobody has set. */
export const textFlag = (name: string, metavar: string) =>
  Flag.String(name).pipe(
    Flag.withMetavar(metavar),
    Flag.filter(isFilled, () => `Expected ${metavar}, not an empty text`)
  )

/** An argument with a text that is not empty. */
export const textArgument = (name: string) =>
  Argument.String(name).pipe(Argument.filter(isFilled, () => "Expected a text that is not empty"))
