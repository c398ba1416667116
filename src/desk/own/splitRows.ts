import { Data } from "effect"

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
