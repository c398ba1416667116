import { displayWidth } from "effect/cli/CliOutput"

/** Returns the terminal's columns; null for a pipe or a file, which have no limit. */
export const screenWidth = (stream: NodeJS.WriteStream = process.stdout): number | null =>
  stream.isTTY && stream.columns > 0 ? stream.columns : null

const plain = /^[ -~]*$/

/** Returns a text's display width: two columns for a wide letter, none for a combining mark. */
export const measureText = (text: string): number => (plain.test(text) ? text.length : displayWidth(text))

/** Scripts without blanks, in which each letter is a word. */
const ideographs = String.raw`\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}`

const figure = String.raw`[^\s\p{L}]*\d (?:%|[kMGT]B|bytes?|s|min|h|days)(?![\p{L}\d])\S*`

/** Matches a word with its leading blanks. A figure and its unit are one word. */
const words = new RegExp(String.raw`\s*(?:[${ideographs}][\p{M}ー、。」』）！？]*|${figure}|[^\s${ideographs}]+)`, "gu")

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

/** Wraps a line between words, and indents the later lines. A longer word does not get its own line. */
export const wrapText = (text: string, room: number, indent = ""): ReadonlyArray<string> => {
  if (measureText(text) <= room) return [text]
  const lines: Array<string> = []
  let line = /^\s*/.exec(text)?.[0] ?? ""
  let isEmpty = true
  for (const piece of splitWords(text.trimStart())) {
    const isEndless = measureText(indent + piece.trimStart()) > room
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

/** Matches the rest of a command: words and quoted texts, without the punctuation of the sentence around it. */
const args = String.raw`(?: (?:"[^"]*"|'[^']*'|[^\s"';])+(?<![,.:)]))+(?=[\s;,.:)]|$)`

/** Matches a complete command to copy, and what joins it to the text after it. */
const commands = new RegExp(
  String.raw`(?<=: +)((?:npx )?(?:cardlake|aws|chmod|date|journalctl|rm)${args})(?:[;,.] +)?`,
  "g"
)

/** Splits a command at blanks outside of quotes. */
const commandWords = /(?:"[^"]*"|'[^']*'|[^\s"'])+/g

/** Breaks a command that is too wide at its blanks, so that a shell still reads it as one. */
const breakCommand = (command: string, room: number, indent: string): ReadonlyArray<string> => {
  if (measureText(indent + command) <= room) return [indent + command]
  const [first = "", ...rest] = command.match(commandWords) ?? []
  const lines: Array<string> = []
  let line = indent + first
  for (const word of rest) {
    if (measureText(`${line} ${word} \\`) > room) {
      lines.push(`${line} \\`)
      line = measureText(`${indent}  ${word}`) > room ? word : `${indent}  ${word}`
    } else line += ` ${word}`
  }
  return [...lines, line]
}

/** Wraps a sentence. Each command gets a line of its own, and the text after it begins a new line. */
export const wrapSentence = (text: string, room: number, indent = ""): ReadonlyArray<string> => {
  const lines: Array<string> = []
  let end = 0
  const addText = (part: string) => {
    if (part.trim() === "") return
    const begun = end === 0 ? part : `${indent}${part[0]?.toUpperCase()}${part.slice(1)}`
    lines.push(...wrapText(begun.trimEnd(), room, indent))
  }
  for (const { 0: whole, 1: command = "", index } of text.matchAll(commands)) {
    addText(text.slice(end, index))
    lines.push(...breakCommand(command, room, indent))
    end = index + whole.length
  }
  addText(text.slice(end))
  return lines
}
