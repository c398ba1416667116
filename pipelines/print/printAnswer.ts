import * as Console from "effect/Console"
import * as Effect from "effect/Effect"
import * as Runtime from "effect/Runtime"
import * as Schema from "effect/Schema"
import { TerminalCapabilities } from "effect/cli/TerminalCapabilities"
import { measureText, screenWidth, wrapSentence, wrapText } from "../../src/night/observe/shortTexts.ts"
import { Printing } from "./hints.ts"
import { shownLines, shownText } from "../../src/feed/contract/shownText.ts"

/**
 * Wraps text between words; null disables wrapping. With `indent`, each line is a sentence, and its commands get lines of
 * their own. Without it, a line that fits may be a row of a table and does not change.
 */
export const wrapLines = (text: string, room: number | null, indent?: string): string =>
  room === null
    ? text
    : text
        .split("\n")
        .flatMap((line) =>
          indent === undefined && measureText(line) <= room
            ? [line]
            : wrapSentence(line, room, indent ?? /^\s*/.exec(line)?.[0])
        )
        .join("\n")

/** A command that has printed everything ends with this exit code. */
export class Stopped extends Schema.TaggedError<Stopped>()("Stopped", { code: Schema.Int }) {
  override readonly [Runtime.errorExitCode] = this.code
}

const green = 32
const yellow = 33
const red = 31
const dim = 2

/** Colours of a night's verdicts and a snapshot's states. */
const verdicts: Readonly<Record<string, number>> = {
  published: green,
  current: green,
  unchanged: dim,
  earlier: dim,
  held: yellow,
  missing: yellow,
  "taken back": red,
  failed: red
}
/** Colours of doctor's findings. */
const marks: Readonly<Record<string, number>> = { ok: green, WARN: yellow, HELD: yellow, BAD: red }

/** Matches a verdict that fills a cell: between two blanks or the ends of its line. */
const cell = new RegExp(String.raw`(?<=^| {2})(?:${Object.keys(verdicts).join("|")})(?= {2}|: |$)`, "g")
const mark = new RegExp(`^(?:${Object.keys(marks).join("|")})(?= )`)

const inColour = (colours: typeof marks) => (word: string) => `\u001B[${colours[word]}m${word}\u001B[0m`

/** Colours the verdicts in a text. The feed's control characters are already escaped. */
const colourVerdicts = (text: string): string =>
  text
    .split("\n")
    .map((line) => (mark.test(line) ? line.replace(mark, inColour(marks)) : line.replaceAll(cell, inColour(verdicts))))
    .join("\n")

/** Prints text for people. Control characters of the feed are escaped. `indent`: indentation of wrapped lines. */
export const printText = (text: string, indent?: string): Effect.Effect<void> =>
  Effect.gen(function* () {
    const { hint } = yield* Printing
    const { canColor } = yield* TerminalCapabilities
    const shown = wrapLines(hint(shownLines(text)), screenWidth(), indent)
    yield* Console.log(canColor && screenWidth() !== null ? colourVerdicts(shown) : shown)
  })

/** Prints commands to copy, one per line, without wrapping. */
export const printAsIs = (text: string): Effect.Effect<void> => Console.log(shownLines(text))

/** Prints rows for people without hints and colours, because cells can contain anything. */
export const printRows = (text: string): Effect.Effect<void> => {
  const room = screenWidth() ?? Infinity
  const lines = shownLines(text).split("\n")
  return Console.log(lines.flatMap((line) => wrapText(line, room, /^\s*/.exec(line)?.[0])).join("\n"))
}

/** The fields that contain advice; all others are data. */
const advising: ReadonlySet<string> = new Set(["reason", "reasons", "says", "sentence"])

/** Formats exact JSON, except that advised commands can be copied from anywhere. */
export const hintedJson = (found: unknown, withHints: (text: string) => string): string => {
  const hinted = (text: unknown): unknown => (typeof text === "string" ? withHints(text) : text)
  return JSON.stringify(found, (key, value: unknown) => {
    if (!advising.has(key)) return value
    return Array.isArray(value) ? value.map(hinted) : hinted(value)
  })
}

/** Prints exact output for programs. On a terminal, control characters are escaped. */
export const printExact = (text: string): Effect.Effect<void> =>
  Console.log(screenWidth() === null ? text : shownLines(text))

export const printJson = (found: unknown): Effect.Effect<void> =>
  Effect.flatMap(Printing, ({ hintInJson }) => printExact(hintedJson(found, hintInJson)))

/** Prints the result of a command: exact JSON with `--json`, else text for people. */
export const printAnswer = <A>(json: boolean, found: A, text: (found: A) => string): Effect.Effect<void> =>
  json ? printJson(found) : printText(text(found))

/** Prints an error to standard error, one line per text. */
export const printFault = (...lines: ReadonlyArray<string>): Effect.Effect<void> =>
  Effect.flatMap(Printing, ({ hint }) =>
    Console.error(
      wrapLines(`cardlake: ${hint(lines.map((line) => shownText(line)).join("\n"))}`, screenWidth(process.stderr), "")
    )
  )

/** An error as programs read it: name, sentence and exit code; for a wrong command line also the usage. */
interface PrintedError {
  readonly error: string
  readonly reason: string
  readonly exitCode: number
  readonly usage?: string
}

/** Prints an error's sentence, unless its JSON follows on the same terminal. */
export const printSentence = (...lines: ReadonlyArray<string>): Effect.Effect<void> =>
  Effect.flatMap(Printing, ({ json }) =>
    json && process.stdout.isTTY && process.stderr.isTTY ? Effect.void : printFault(...lines)
  )

/** Prints an error as one JSON object if `--json` was given. */
export const printErrorJson = (error: PrintedError): Effect.Effect<void> =>
  Effect.flatMap(Printing, ({ json }) => (json ? printJson(error) : Effect.void))

/** Prints an error, one line per text, and ends the command. */
export const stopWith = (
  exitCode: number,
  error: string,
  ...lines: ReadonlyArray<string>
): Effect.Effect<never, Stopped> =>
  Effect.andThen(printSentence(...lines), printErrorJson({ error, reason: lines.join("\n"), exitCode })).pipe(
    Effect.andThen(Effect.fail(new Stopped({ code: exitCode })))
  )

/** Ends the command with a usage error that the parser cannot detect. */
export const wrongUsage = (sentence: string) => stopWith(2, "WrongUsage", sentence)
