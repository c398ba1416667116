import { displayWidth } from "effect/cli/CliOutput"

/** Returns the terminal's columns; null for a pipe or a file, which have no limit. */
export const screenWidth = (stream: NodeJS.WriteStream = process.stdout): number | null =>
  stream.isTTY && stream.columns > 0 ? stream.columns : null

const plain = /^[ -~]*$/

/** Returns a text's display width: two columns for a wide letter, none for a combining mark. */
export const measureText = (text: string): number => (plain.test(text) ? text.length : displayWidth(text))

/** Matches a word with its leading blanks. In scripts without blanks, each letter is a word. */
const words =
  /\s*(?:[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}][\p{M}ー、。」』）！？]*|[^\s\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}]+)/gu

export const splitWords = (text: string): ReadonlyArray<string> => text.match(words) ?? []

/** Max length of a word. The limit exceeds every id; longer words are addresses or JSON, and may be cut anywhere. */
export const maxWordLength = 32

/** Joins as many pieces as fit. */
const joinFitting = (pieces: Iterable<string>, room: number): string => {
  let kept = ""
  for (const piece of pieces) {
    if (measureText(kept + piece) > room) break
    kept += piece
  }
  return kept
}

/** Cuts a text to a width: whole words and ` …`. If no word fits, `…` is in the middle of the first. */
export const cutText = (text: string, room: number): string => {
  if (measureText(text) <= room) return text
  const kept = joinFitting(splitWords(text), room - 2)
  if (kept !== "") return `${kept} …`
  // Created on first use, because a segmenter loads ten milliseconds of tables.
  const letters = new Intl.Segmenter(undefined, { granularity: "grapheme" })
  const pieces = Array.from(letters.segment(text.slice(0, 16 * room)), ({ segment }) => segment)
  return `${joinFitting(pieces, Math.max(room - 1, 0))}…`
}

/** Matches a complete command to copy. Broken in two, the command would not run. */
const command = /(?<=: +)(?:npx )?(?:cardlake|aws|chmod|rm)(?: (?:"[^"]*"|'[^']*'|[^\s"';]+))+/g

/** Splits a text into pieces that must not be broken: commands and words. */
const splitPieces = (text: string): ReadonlyArray<string> => {
  const pieces: Array<string> = []
  let end = 0
  for (const { 0: whole, index } of text.matchAll(command)) {
    const before = text.slice(end, index).trimEnd()
    pieces.push(...splitWords(before), text.slice(end + before.length, index) + whole)
    end = index + whole.length
  }
  return [...pieces, ...splitWords(text.slice(end))]
}

/** Wraps a line, and indents the later lines. A longer command gets its own line; a longer word does not. */
export const wrapText = (text: string, room: number, indent = ""): ReadonlyArray<string> => {
  if (measureText(text) <= room) return [text]
  const lines: Array<string> = []
  let line = /^\s*/.exec(text)?.[0] ?? ""
  let isEmpty = true
  for (const piece of splitPieces(text.trimStart())) {
    const isEndless = !/\S\s/.test(piece) && measureText(indent + piece.trimStart()) > room
    if (!isEmpty && !isEndless && measureText(line + piece) > room) {
      lines.push(line)
      line = indent
      isEmpty = true
    }
    line += isEmpty ? piece.trimStart() : piece
    isEmpty = false
  }
  return [...lines, line]
}
