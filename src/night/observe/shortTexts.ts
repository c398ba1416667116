import { displayWidth } from "effect/cli/CliOutput"

/** Columns of a terminal; null: the stream is a pipe or a file, which takes any width. */
export const screenWidth = (stream: NodeJS.WriteStream = process.stdout): number | null =>
  stream.isTTY && stream.columns > 0 ? stream.columns : null

const plain = /^[ -~]*$/

/** Columns that a text takes on a terminal: two for a wide letter, none for a combining mark. */
export const widthOf = (text: string): number => (plain.test(text) ? text.length : displayWidth(text))

/** A word with the blanks before it. In scripts that are written without blanks, each letter is one. */
const words =
  /\s*(?:[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}][\p{M}ー、。」』）！？]*|[^\s\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}]+)/gu

export const wordsOf = (text: string): ReadonlyArray<string> => text.match(words) ?? []

/** Longer than any id; what is longer is an address or JSON, and may be cut anywhere. */
export const longestWord = 32

/** As many whole pieces as fit. */
const fitting = (pieces: Iterable<string>, room: number): string => {
  let kept = ""
  for (const piece of pieces) {
    if (widthOf(kept + piece) > room) break
    kept += piece
  }
  return kept
}

/** A text in so many columns: whole words and ` …`. Only where not even one word fits, `…` is in the middle of it. */
export const cutText = (text: string, room: number): string => {
  if (widthOf(text) <= room) return text
  const kept = fitting(wordsOf(text), room - 2)
  if (kept !== "") return `${kept} …`
  // Made here: the first of a process loads ten milliseconds of tables.
  const letters = new Intl.Segmenter(undefined, { granularity: "grapheme" })
  const pieces = Array.from(letters.segment(text.slice(0, 16 * room)), ({ segment }) => segment)
  return `${fitting(pieces, Math.max(room - 1, 0))}…`
}

/** A command to copy, to its end; broken in two it would not run. */
const command = /(?<=: +)(?:npx )?(?:cardlake|aws|chmod|rm)(?: (?:"[^"]*"|'[^']*'|[^\s"';]+))+/g

/** What no line may break: a command, else a word. */
const piecesOf = (text: string): ReadonlyArray<string> => {
  const pieces: Array<string> = []
  let end = 0
  for (const { 0: whole, index } of text.matchAll(command)) {
    const before = text.slice(end, index).trimEnd()
    pieces.push(...wordsOf(before), text.slice(end + before.length, index) + whole)
    end = index + whole.length
  }
  return [...pieces, ...wordsOf(text.slice(end))]
}

/** A line as several of so many columns, the later ones indented. A longer command has a line of its own, a longer word none. */
export const wrapText = (text: string, room: number, indent = ""): ReadonlyArray<string> => {
  if (widthOf(text) <= room) return [text]
  const lines: Array<string> = []
  let line = /^\s*/.exec(text)?.[0] ?? ""
  let isEmpty = true
  for (const piece of piecesOf(text.trimStart())) {
    const isEndless = !/\S\s/.test(piece) && widthOf(indent + piece.trimStart()) > room
    if (!isEmpty && !isEndless && widthOf(line + piece) > room) {
      lines.push(line)
      line = indent
      isEmpty = true
    }
    line += isEmpty ? piece.trimStart() : piece
    isEmpty = false
  }
  return [...lines, line]
}
