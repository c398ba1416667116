import * as Effect from "effect/Effect"
import { Printing } from "./hints.ts"
import { printFault, printJson } from "./printAnswer.ts"
import { Stopped } from "./Stopped.ts"

/** What a program reads of an error: its name, the sentence, and the exit code; of a wrong command line also the usage. */
interface Told {
  readonly error: string
  readonly reason: string
  readonly exitCode: number
  readonly usage?: string
}

/** Prints an error as one JSON object where `--json` was given. */
export const printErrorJson = (told: Told): Effect.Effect<void> =>
  Effect.flatMap(Printing, ({ json }) => (json ? printJson(told) : Effect.void))

/** Says what went wrong, a line for each text, and ends the command. */
export const stopWith = (
  exitCode: number,
  error: string,
  ...lines: ReadonlyArray<string>
): Effect.Effect<never, Stopped> =>
  Effect.andThen(printFault(...lines), printErrorJson({ error, reason: lines.join("\n"), exitCode })).pipe(
    Effect.andThen(Effect.fail(new Stopped({ code: exitCode })))
  )

/** The command line is wrong in a way that its parser cannot see. */
export const wrongUsage = (sentence: string) => stopWith(2, "WrongUsage", sentence)
