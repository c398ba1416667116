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
export const painted = (text: string): string =>
  text
    .split("\n")
    .map((line) => (mark.test(line) ? line.replace(mark, inColour(marks)) : line.replaceAll(cell, inColour(verdicts))))
    .join("\n")
