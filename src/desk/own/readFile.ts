import { Effect, Schema } from "effect"
import { onDisk } from "../../feed/disk/Disk.ts"
import { readRegular } from "../../store/home/disk.ts"
import { codeOf } from "../../feed/disk/makeFolders.ts"
import { type Format, formatOf } from "./Format.ts"
import { formats } from "./formats.ts"

/** The file cannot be imported as a collection. */
export class NotACollection extends Schema.TaggedError<NotACollection>()("NotACollection", {
  file: Schema.String,
  what: Schema.String
}) {
  override get message() {
    return `${this.file} cannot be imported: ${this.what}. Give the CSV that the tool of your collection exports`
  }
}

/** A collection's file: its text in UTF-8, and its format. */
export interface ReadFile {
  readonly bytes: Buffer
  readonly text: string
  readonly format: Format
  readonly header: ReadonlyArray<string>
  readonly separator: string
  /** Lines before the first row. */
  readonly headLines: number
}

/** The maximum file size; no collection is larger. */
const maxBytes = 256 * 1024 * 1024

/** The maximum length of a header line. */
const maxHeader = 64 * 1024

const separators = [",", ";", "\t", "|"]

/** Decodes UTF-8 with or without a byte-order mark, UTF-16, or Windows-1252, as spreadsheets write them. */
const decoded = (bytes: Buffer): string => {
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return new TextDecoder("utf-16le").decode(bytes)
  if (bytes[0] === 0xfe && bytes[1] === 0xff) return new TextDecoder("utf-16be").decode(bytes)
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes)
  } catch {
    return new TextDecoder("windows-1252").decode(bytes)
  }
}

/** Splits a line into cells, quoted or not. */
const cellsOf = (line: string, separator: string): ReadonlyArray<string> => {
  const cells: Array<string> = []
  let at = 0
  while (at <= line.length) {
    const quoted = line[at] === '"' ? /"((?:[^"]|"")*)"/y : null
    if (quoted !== null) {
      quoted.lastIndex = at
      const [whole = '"', inside = ""] = quoted.exec(line) ?? []
      cells.push(inside.replaceAll('""', '"'))
      at += whole.length
    }
    const end = line.indexOf(separator, at)
    const stop = end === -1 ? line.length : end
    if (quoted === null) cells.push(line.slice(at, stop).trim())
    at = stop + 1
  }
  return cells
}

/** Returns the line of the first quoted cell that is never closed; null = there is none. */
const openQuote = (text: string, separator: string): number | null => {
  for (let at = text.indexOf('"'); at !== -1; at = text.indexOf('"', at + 1)) {
    const before = text[at - 1] === " " ? text[at - 2] : text[at - 1]
    // Inside a cell, a quote is a plain character. DuckDB skips one space before a cell.
    if (before !== undefined && ![separator, "\n", "\r"].includes(before)) continue
    let close = text.indexOf('"', at + 1)
    while (close !== -1 && text[close + 1] === '"') close = text.indexOf('"', close + 2)
    if (close === -1) return text.slice(0, at).split(/\r\n|\n|\r/).length
    at = close
  }
  return null
}

const tools = [...new Set(formats.map(({ tool }) => tool))].join(", ")

/** Reads a file of any supported tool; fails with {@link NotACollection} for other files. */
export const readCollectionFile = Effect.fnUntraced(function* (file: string) {
  const fault = (what: string) => new NotACollection({ file, what })
  const bytes = yield* onDisk(
    (disk) => readRegular(disk, file, maxBytes),
    (cause) =>
      fault(
        {
          ENOENT: "it is not there",
          EISDIR: "it is a folder",
          ENOTREG: "it is no file, but a pipe or a device",
          ENXIO: "it is no file, but a socket or a device",
          EFBIG: "it has more than 256 MB",
          EACCES: "this user may not read it"
        }[codeOf(cause)] ?? "it cannot be read"
      )
  )
  const text = decoded(bytes).replace(/^\uFEFF/, "")
  if (text.includes("\0")) return yield* fault("it is not a text")
  const lines = text.split(/\r\n|\n|\r/, 20)
  const stated = /^"?sep=(.)"?$/i.exec(lines[0] ?? "")
  const first = lines.findIndex((line, at) => line.trim() !== "" && !(at === 0 && stated !== null))
  if (first === -1) return yield* fault("it is empty")
  if ((lines[first] ?? "").length > maxHeader)
    return yield* fault(`its line ${first + 1}, the header, has more than ${maxHeader} letters`)
  for (const separator of stated?.[1] === undefined ? separators : [stated[1]]) {
    const header = cellsOf(lines[first] ?? "", separator)
    const format = formatOf(formats, header)
    if (format === null) continue
    const open = openQuote(text, separator)
    if (open !== null)
      return yield* fault(
        `the quote that opens at line ${open} is never closed, so the rows after it cannot be told apart`
      )
    return { bytes, text, format, header, separator, headLines: first + 1 } satisfies ReadFile
  }
  return yield* fault(
    `its headers are those of no tool that is known (${tools}): ${(lines[first] ?? "").slice(0, 200)}. Any file is taken that has a column product_id and, if it likes, game_id, finish, quantity, condition, language, paid, currency`
  )
})
