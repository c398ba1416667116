import * as Console from "effect/Console"
import * as Effect from "effect/Effect"
import * as Runtime from "effect/Runtime"
import * as Schema from "effect/Schema"
import { TerminalCapabilities } from "effect/cli/TerminalCapabilities"
import { screenWidth, wrapText } from "../../src/night/observe/shortTexts.ts"
import { Printing } from "./hints.ts"
import { shownLines, shownText } from "../../src/feed/contract/shownText.ts"

/** Lines that a terminal of so many columns does not break in the middle of a word; null: any number. */
export const wrapLines = (text: string, room: number | null, indent?: string): string =>
  room === null
    ? text
    : text
        .split("\n")
        .flatMap((line) => wrapText(line, room, indent ?? /^\s*/.exec(line)?.[0]))
        .join("\n")

/** A command that has printed everything and ends with its own exit code. */
export class Stopped extends Schema.TaggedError<Stopped>()("Stopped", { code: Schema.Int }) {
  override readonly [Runtime.errorExitCode] = this.code
}

const green = 32
const yellow = 33
const red = 31
const dim = 2

/** One colour for each verdict of a night, and each state of a snapshot. */
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
/** And for what doctor found. */
const marks: Readonly<Record<string, number>> = { ok: green, LOOK: yellow, HELD: yellow, BAD: red }

/** A cell of its own: two blanks are around it, or the ends of its line. */
const cell = new RegExp(String.raw`(?<=^| {2})(?:${Object.keys(verdicts).join("|")})(?= {2}|: |$)`, "g")
const mark = new RegExp(`^(?:${Object.keys(marks).join("|")})(?= )`)

const inColour = (colours: typeof marks) => (word: string) => `\u001B[${colours[word]}m${word}\u001B[0m`

/** Lines in which a verdict has its colour. They have no control characters of anybody else. */
const painted = (text: string): string =>
  text
    .split("\n")
    .map((line) => (mark.test(line) ? line.replace(mark, inColour(marks)) : line.replaceAll(cell, inColour(verdicts))))
    .join("\n")

/** Prints text for people: what the feed put into it reaches the terminal as letters only. `indent`: of what goes on below. */
export const printText = (text: string, indent?: string): Effect.Effect<void> =>
  Effect.gen(function* () {
    const { hint } = yield* Printing
    const { canColor } = yield* TerminalCapabilities
    const shown = wrapLines(hint(shownLines(text)), screenWidth(), indent)
    yield* Console.log(canColor && screenWidth() !== null ? painted(shown) : shown)
  })

/** Prints commands to copy, each on its line, however long. */
export const printAsIs = (text: string): Effect.Effect<void> => Console.log(shownLines(text))

/** Prints rows for people, without hints and colours: they may be anything. */
export const printRows = (text: string): Effect.Effect<void> => Console.log(wrapLines(shownLines(text), screenWidth()))

/** What a command advises is in these fields; all else is data. */
const advising: ReadonlySet<string> = new Set(["reason", "reasons", "says", "sentence"])

/** As JSON: exact, but for the commands that it advises, which can be copied from anywhere. */
export const hintedJson = (found: unknown, withHints: (text: string) => string): string => {
  const hinted = (text: unknown): unknown => (typeof text === "string" ? withHints(text) : text)
  return JSON.stringify(found, (key, value: unknown) => {
    if (!advising.has(key)) return value
    return Array.isArray(value) ? value.map(hinted) : hinted(value)
  })
}

/** Prints what a program reads: exact, except on a terminal, which would obey control characters. */
export const printExact = (text: string): Effect.Effect<void> =>
  Console.log(screenWidth() === null ? text : shownLines(text))

export const printJson = (found: unknown): Effect.Effect<void> =>
  Effect.flatMap(Printing, ({ hintInJson }) => printExact(hintedJson(found, hintInJson)))

/** Prints what a command found: exact JSON where it is asked for, else text for people. */
export const printAnswer = <A>(json: boolean, found: A, text: (found: A) => string): Effect.Effect<void> =>
  json ? printJson(found) : printText(text(found))

/** Prints on standard error what went wrong: a line for each text, whatever it quotes. */
export const printFault = (...lines: ReadonlyArray<string>): Effect.Effect<void> =>
  Effect.flatMap(Printing, ({ hint }) =>
    Console.error(
      wrapLines(`cardlake: ${hint(lines.map((line) => shownText(line)).join("\n"))}`, screenWidth(process.stderr))
    )
  )

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
