import { Data } from "effect"
import { foldWords, headingWords, wantedWords } from "./parseWords.ts"

/** A row of a text: its cells, and the line on which it begins. */
export interface Row {
  readonly line: number
  readonly cells: ReadonlyArray<string>
}

/** A file that cannot be read; the message says why, with line and column where a row is the reason. */
export class FileFault extends Data.TaggedError("FileFault")<{ readonly message: string }> {}

/** Returns the text of a cell that a spreadsheet keeps a text by a formula, as in `="012"`. */
const withoutFormula = (cell: string): string =>
  cell.startsWith('="') && cell.endsWith('"') ? cell.slice(2, -1).trim() : cell

const linesIn = (text: string): number => text.split(/\r\n|\n|\r/).length - 1

/**
 * Splits a text into rows and cells; line ends may be mixed. A quote opens a quoted cell only at the beginning of a
 * cell, after spaces or not. Throws a {@link FileFault} at a quoted cell that does not end at a separator.
 */
export function* splitRows(text: string, separator: string): Generator<Row> {
  let [at, line] = [0, 1]
  /** The next places, from `at` on, of the characters that end a cell. */
  const ends = [separator, "\n", "\r"].map((sign) => ({ sign, place: -1 }))
  const cellEnd = (): number => {
    let nearest = text.length
    for (const end of ends) {
      if (end.place < at) end.place = text.indexOf(end.sign, at)
      if (end.place === -1) end.place = text.length
      if (end.place < nearest) nearest = end.place
    }
    return nearest
  }
  /** Reads one cell, and moves behind it. */
  const readCell = (column: number): string => {
    let start = at
    while (text[start] === " ") start++
    if (text[start] !== '"') {
      const stop = cellEnd()
      const cell = text.slice(at, stop).trim()
      at = stop
      return withoutFormula(cell)
    }
    let close = text.indexOf('"', start + 1)
    while (close !== -1 && text[close + 1] === '"') close = text.indexOf('"', close + 2)
    const where = `line ${line}, column ${column}`
    if (close === -1) throw new FileFault({ message: `the quote that opens at ${where} is never closed` })
    const cell = text.slice(start + 1, close)
    at = close + 1
    while (text[at] === " ") at++
    const after = text[at]
    if (after !== undefined && after !== separator && after !== "\r" && after !== "\n")
      throw new FileFault({ message: `the quoted cell at ${where} is followed by more text` })
    if (/[\r\n]/.test(cell)) line += linesIn(cell)
    return withoutFormula(cell.replaceAll('""', '"').trim())
  }
  while (at < text.length) {
    const row = { line, cells: [] as Array<string> }
    row.cells.push(readCell(1))
    while (text[at] === separator) {
      at++
      row.cells.push(readCell(row.cells.length + 1))
    }
    at += text[at] === "\r" && text[at + 1] === "\n" ? 2 : 1
    line++
    yield row
  }
}

/** The columns of a list, in the words of a table. */
export const listHeader = ["line", "quantity", "name", "set code", "number", "finish", "list", "list kind"]

const headings = new RegExp(`^(${headingWords})$`)
const wanted = new RegExp(`^(${wantedWords})$`)

const finishMarks: Readonly<Record<string, string>> = {
  f: "foil",
  foil: "foil",
  e: "etched",
  etched: "etched",
  "foil etched": "etched"
}

const code = String.raw`[A-Z0-9][A-Z0-9_-]{1,7}|[a-z0-9][a-z0-9_-]{1,7}`
const number = String.raw`\s+#?((?=\S*\d)[^\s()\[\]]+)`
const inBrackets = new RegExp(String.raw`\s\((${code})(?:[:#]([^)\s]+))?\)(?:${number})?(?=\s|$)`)
const inSquareBrackets = new RegExp(String.raw`\s?\[(${code})(?:[:#]([^\]\s]+))?\](?:${number})?(?=\s|$)`)
/** A set's code with small letters looks like any word in brackets; only a code has a number after it. */
const beforeNumber = new RegExp(String.raw`\s[([]([A-Za-z0-9]{2,6})[)\]]${number}(?=\s|$)`)
const copiesBehind = /\s+[x×]\s?(\d{1,4})$/i

/** Reads a line such as `4x Name (SET) 12 *F*`, `Name x4` or `4 [SET:12] Name`; tags at its end are left out. */
const readEntry = (line: string) => {
  let text = line.replace(/^SB:\s*/i, "")
  /** Takes a match off the text. */
  const take = (pattern: RegExp): RegExpExecArray | null => {
    const found = pattern.exec(text)
    if (found !== null) text = `${text.slice(0, found.index)} ${text.slice(found.index + found[0].length)}`.trim()
    return found
  }
  const before = take(/^(\d{1,4})\s*[x×]?\s+(?=\S)|^(\d{1,4})[x×](?=\p{L})/iu) ?? take(copiesBehind)
  const marks: Array<string | undefined> = []
  for (let mark = take(/\s\*([^*]+)\*/); mark !== null; mark = take(/\s\*([^*]+)\*/)) marks.push(mark[1])
  // Tags of deck builders: `#ramp`, `[Ramp]`, `^Have,#37d67a^`
  take(/\s(#(?!\d)\S.*|\^[^^]*\^.*)$/)
  // A finish in brackets stands behind the set or in its place, one without behind a set or number.
  const finish = take(/\s[([](f|foil|e|etched|foil etched)[)\]]$|(?<=[\d)\]]\p{L}?)\s(f|foil|etched)$/iu)
  marks.push(finish?.[1] ?? finish?.[2])
  // Between name and set are a number or a treatment: `Name <117> [SET]`, `Name <borderless> [SET]`.
  const print = take(/\s<([^<>]*)>/)
  const set = take(inBrackets) ?? take(inSquareBrackets) ?? take(beforeNumber)
  if (set !== null) text = text.replace(/\s\[[^\]]*\]$/, "")
  const count = before ?? take(copiesBehind)
  return {
    quantity: count?.[1] ?? count?.[2] ?? null,
    name: text.trim(),
    set: set?.[1] ?? "",
    number: set?.[2] ?? set?.[3] ?? /^\d+\p{L}?$/u.exec(print?.[1] ?? "")?.[0] ?? "",
    finish: marks.map((mark) => finishMarks[mark?.toLowerCase() ?? ""]).find((mark) => mark !== undefined) ?? ""
  }
}

/** Returns the heading that a line is, without a count such as `(12)`; null if it is a card. */
const parseHeading = (line: string): string | null => {
  const text = line.replace(/^(\/\/+|#+|=+|-+)\s*/, "")
  const bare = text.replace(/\s*[([]?\d*[)\]]?\s*:?\s*[=-]*$/, "").trim()
  return headings.test(foldWords(bare).join(" ")) || (text.endsWith(":") && !/^\d/.test(text)) ? bare : null
}

/**
 * Reads a text as a list of cards, one a line; null if it is none: at least half of its lines must begin or end with a
 * number of copies. A line without one is one card. Comments are left out.
 */
export const listRows = (text: string): ReadonlyArray<Row> | null => {
  const rows: Array<Row> = []
  let [section, counted, isAbout] = ["", 0, false]
  for (const [place, whole] of text.split(/\r\n|\n|\r/).entries()) {
    const line = whole.trim()
    if (line === "") continue
    const heading = parseHeading(line)
    if (heading !== null) {
      section = heading
      isAbout = /^about$/i.test(heading)
      continue
    }
    // MTGA names the deck below `About`.
    if (/^(\/\/|#)/.test(line) || (isAbout && /^name /i.test(line))) continue
    const { finish, name, number, quantity, set } = readEntry(line)
    if (quantity !== null) counted++
    const list = /^SB:/i.test(line) ? "Sideboard" : section
    const kind = wanted.test(foldWords(list).join(" ")) ? "list" : ""
    rows.push({ line: place + 1, cells: [line, quantity ?? "1", name, set, number, finish, list, kind] })
  }
  return counted * 2 >= rows.length && counted > 0 ? rows : null
}
