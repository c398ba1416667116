import { wrapText } from "../../src/night/observe/shortTexts.ts"

/** Lines that a terminal of so many columns does not break in the middle of a word; null: any number. */
export const wrapLines = (text: string, room: number | null, indent?: string): string =>
  room === null
    ? text
    : text
        .split("\n")
        .flatMap((line) => wrapText(line, room, indent ?? /^\s*/.exec(line)?.[0]))
        .join("\n")
