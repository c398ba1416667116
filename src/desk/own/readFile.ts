import { isUtf8 } from "node:buffer"
import { hash } from "node:crypto"
import { Effect } from "effect"
import { type Disk, onDisk } from "../../feed/disk/Disk.ts"
import { errorCode } from "../../feed/disk/makeFolders.ts"
import { readRegular } from "../../store/home/disk.ts"
import { type DecimalMark, decimalMark } from "./figures.ts"
import { type Columns, findColumns, detectFormat, identifyCards, formats } from "./formats.ts"
import { listHeader, listRows, type Row, FileFault, splitRows } from "./textRows.ts"
import { Fault } from "../../feed/contract/Fault.ts"

/** A collection's file as a table. */
export interface ReadFile {
  readonly bytes: Buffer
  readonly sha256: string
  /** The tool that wrote it. */
  readonly tool: string
  /** The only game that the tool knows; null = it knows several. */
  readonly toolGame: string | null
  /** The lines above the header, such as a title or a date. */
  readonly titles: ReadonlyArray<string>
  readonly header: ReadonlyArray<string>
  readonly columns: Columns
  /** Returns the rows below the header that are not empty, anew at every call. */
  readonly rows: () => Iterable<Row>
  /** The decimal marks that the columns of prices and of counts prove; null = none. */
  readonly marks: Readonly<Record<"paid" | "quantity", DecimalMark | null>>
}

/** The maximum file size; no collection is larger. */
const maxBytes = 256 * 1024 * 1024

const maxHeader = 64 * 1024

const separators = [",", ";", "\t", "|"]

/** The number of rows whose values decide what a column is. */
const sampleRows = 200

const utf16 = (bytes: Buffer): string | null => {
  const [first = 1, second = 1] = bytes
  const isLittle = (first === 0xff && second === 0xfe) || (first !== 0 && second === 0)
  const isBig = (first === 0xfe && second === 0xff) || (first === 0 && second !== 0)
  return isLittle || isBig ? new TextDecoder(isLittle ? "utf-16le" : "utf-16be").decode(bytes) : null
}

/** What the first bytes of a file say that it is, if that is no text. */
const notTexts: ReadonlyArray<readonly [start: string, what: string]> = [
  ["504b0304", "it is a workbook, such as .xlsx or .ods. Open it and save it as CSV UTF-8"],
  ["d0cf11e0", "it is a workbook of an old Excel (.xls). Open it and save it as CSV UTF-8"],
  ["25504446", "it is a PDF"],
  ["1f8b", "it is compressed. Unpack it"]
]

/** How spreadsheets save a CSV in the west, in the middle of Europe, and in Japan. */
const spreadsheetEncodings = ["windows-1252", "windows-1250", "shift_jis"]

/** Returns the rows that are not empty, without the first ones. */
function* filledRows(rows: Iterable<Row>, skipped: number): Generator<Row> {
  let place = 0
  for (const row of rows) if (row.cells.some((cell) => cell !== "") && place++ >= skipped) yield row
}

/** The number of rows of which one is the header. */
const headRows = 5

type Table = Omit<ReadFile, "bytes" | "sha256" | "marks">

/** Returns the cells of the first rows; fewer if a later row cannot be read. */
const takeSample = (rows: Iterable<Row>, count: number): ReadonlyArray<ReadonlyArray<string>> => {
  const sample: Array<ReadonlyArray<string>> = []
  try {
    for (const { cells } of rows) if (sample.push(cells) === count) break
  } catch (fault) {
    if (!(fault instanceof FileFault)) throw fault
  }
  return sample
}

/**
 * Reads a text as a table: its header is the first row that says which card a row is, and has more cells than the titles
 * above it. Null if the separator leaves none.
 */
const readTable = (text: string, separator: string, headLines: number): Table | null => {
  const rows = (skipped: number) => filledRows(splitRows(text, separator), skipped)
  const above: Array<string> = []
  let widest = 0
  for (const header of takeSample(rows(headLines), headRows)) {
    const cells = header.filter((cell) => cell !== "")
    const below = () => rows(headLines + above.length + 1)
    const format = detectFormat(header)
    const columns = findColumns(format, header, takeSample(below(), sampleRows))
    if (cells.length > widest && identifyCards(columns))
      return {
        tool: format?.tool ?? "a table",
        toolGame: format?.game ?? null,
        titles: above,
        header,
        columns,
        rows: below
      }
    widest = Math.max(widest, cells.length)
    above.push(cells.join(" "))
  }
  return null
}

/** Reads a text as a table, by the separator that gives the most known columns, else as a plain list. */
const readText = (text: string): Table | null => {
  if (text.includes("\0")) throw new FileFault({ message: "it is not a text" })
  if (/^\s*<[?!a-z]/i.test(text))
    throw new FileFault({ message: "it is XML or HTML, such as MTGO's .dek, which MTGO also saves as CSV or as text" })
  const lines = text.split(/\r\n|\n|\r/, 20)
  const stated = /^"?sep=(.)"?$/i.exec(lines[0] ?? "")?.[1]
  const first = lines.findIndex((line, place) => line.trim() !== "" && !(place === 0 && stated !== undefined))
  if (first === -1) throw new FileFault({ message: "it is empty" })
  if ((lines[first] ?? "").length > maxHeader)
    throw new FileFault({ message: `its line ${first + 1}, the header, has more than ${maxHeader} letters` })
  const headLines = stated === undefined ? 0 : 1
  const tables = (stated === undefined ? separators : [stated]).flatMap(
    (separator) => readTable(text, separator, headLines) ?? []
  )
  const [best] = tables.toSorted((a, b) => b.columns.places.size - a.columns.places.size)
  if (best !== undefined) return best
  const list = listRows(text)
  if (list === null) return null
  const columns = findColumns(null, listHeader, [])
  return { tool: "a list", toolGame: null, titles: [], header: listHeader, columns, rows: () => list }
}

/**
 * Reads all rows: counts them, their cells, and the cells with bytes that are not of the encoding (`wrong`). Throws a
 * {@link FileFault} at a row that has text beyond the header's columns.
 */
const examine = ({ columns, header, rows }: Table) => {
  let [count, wrong, all] = [0, 0, 0]
  const figures = { paid: new Set<string>(), quantity: new Set<string>() }
  const places = (["paid", "quantity"] as const).flatMap((field) =>
    (columns.places.get(field) ?? []).map((place) => [place, figures[field]] as const)
  )
  for (const { cells, line } of rows()) {
    const beyond = cells.findIndex((cell, place) => place >= header.length && cell !== "")
    if (beyond !== -1)
      throw new FileFault({
        message: `line ${line} has text in column ${beyond + 1}, and the header has ${header.length} columns`
      })
    count++
    all += cells.length
    for (const cell of cells) if (cell.includes("\uFFFD")) wrong++
    for (const [place, texts] of places) texts.add(cells[place] ?? "")
  }
  const marks = { paid: decimalMark(figures.paid), quantity: decimalMark(figures.quantity) }
  return { rows: count, wrong, cells: all, marks }
}

/**
 * Decodes a file and reads it as a table. A file with a few wrong bytes is UTF-8, and they show as �. With more than one
 * cell in a hundred, or one of its header, it is as spreadsheets write it in the language whose words its header has.
 */
const decode = (bytes: Buffer): readonly [text: string, table: Table | null] => {
  const read = (text: string) => [text, readText(text.replace(/^\uFEFF/, ""))] as const
  const wide = utf16(bytes)
  if (wide !== null) return read(wide)
  const utf8 = read(new TextDecoder("utf-8").decode(bytes))
  if (isUtf8(bytes)) return utf8
  if (utf8[1] !== null && !utf8[1].header.some((name) => name.includes("\uFFFD"))) {
    const { cells, wrong } = examine(utf8[1])
    if (wrong * 100 <= cells) return utf8
  }
  const columnsIn = (encoding: string) =>
    readText(new TextDecoder(encoding).decode(bytes.subarray(0, maxHeader)))?.columns.places.size ?? 0
  const [encoding = "windows-1252"] = spreadsheetEncodings.toSorted((a, b) => columnsIn(b) - columnsIn(a))
  return read(new TextDecoder(encoding).decode(bytes))
}

/** Reads a file, or standard input if its name is `-`. */
const readBytes = async (disk: Disk, file: string): Promise<Buffer> => {
  if (file !== "-") return readRegular(disk, file, maxBytes)
  const chunks: Array<Buffer> = []
  let size = 0
  for await (const chunk of process.stdin) {
    const bytes = Buffer.from(chunk as Uint8Array)
    size += bytes.length
    if (size > maxBytes) throw Object.assign(new Error("Standard input is too long"), { code: "EFBIG" })
    chunks.push(bytes)
  }
  return Buffer.concat(chunks)
}

const tools = [...new Set(formats.map(({ tool }) => tool))].join(", ")

const readTexts = (bytes: Buffer): ReadFile => {
  const [text, table] = decode(bytes)
  if (table === null) {
    const [header = ""] = text.trimStart().split(/[\r\n]/, 1)
    const next =
      "A table is read if its headers name either an id, or the name, set and number of the card; a column product_id is best. In a list each line begins with the number of copies, such as 4 Name (SET) 12"
    throw new FileFault({ message: `its headers match no known tool (${tools}): ${header.slice(0, 200)}. ${next}` })
  }
  const { marks, rows } = examine(table)
  if (rows === 0) throw new FileFault({ message: "it has a header, and no row" })
  return { ...table, bytes, sha256: hash("sha256", bytes, "hex"), marks }
}

/** Reads a file of a known tool, another table, or a list of cards; fails with `NotACollection` for other files. */
export const readCollectionFile = Effect.fnUntraced(function* (file: string) {
  const fault = (what: string) =>
    new Fault(
      "NotACollection",
      `${file} cannot be imported: ${what}. Export your collection as CSV from its tool, and import that`
    )
  const bytes = yield* onDisk(
    (disk) => readBytes(disk, file),
    (cause) =>
      fault(
        {
          ENOENT: "it is not there",
          EISDIR: "it is a folder",
          ENOTREG: "it is no file, but a pipe or a device",
          ENXIO: "it is no file, but a socket or a device",
          EFBIG: "it has more than 256 MB",
          EACCES: "this user may not read it"
        }[errorCode(cause)] ?? "it cannot be read"
      )
  )
  const start = bytes.subarray(0, 4).toString("hex")
  const known = notTexts.find(([magic]) => start.startsWith(magic))
  if (known !== undefined) return yield* fault(known[1])
  return yield* Effect.try({
    try: () => readTexts(bytes),
    catch: (cause) => {
      if (cause instanceof FileFault) return fault(cause.message)
      throw cause
    }
  })
})
