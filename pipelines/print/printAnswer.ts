import * as Console from "effect/Console"
import * as Effect from "effect/Effect"
import { Hints, HintsInJson } from "./hints.ts"
import { shownLines, shownText } from "../../src/contract/shownText.ts"

/** Prints text for people: what the feed put into it reaches the terminal as letters only. */
export const printText = (text: string): Effect.Effect<void> =>
  Effect.flatMap(Hints, (withHints) => Console.log(withHints(shownLines(text))))

/** Prints rows for people, as they are. */
export const printRows = (text: string): Effect.Effect<void> => Console.log(shownLines(text))

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

export const printJson = (found: unknown): Effect.Effect<void> =>
  Effect.flatMap(HintsInJson, (withHints) => Console.log(hintedJson(found, withHints)))

/** Prints what a command found: exact JSON where it is asked for, else text for people. */
export const printAnswer = <A>(json: boolean, found: A, text: (found: A) => string): Effect.Effect<void> =>
  json ? printJson(found) : printText(text(found))

/** Prints on standard error what went wrong: a line for each text, whatever it quotes. */
export const printFault = (...lines: ReadonlyArray<string>): Effect.Effect<void> =>
  Effect.flatMap(Hints, (withHints) =>
    Console.error(`cardlake: ${withHints(lines.map((line) => shownText(line)).join("\n"))}`)
  )
