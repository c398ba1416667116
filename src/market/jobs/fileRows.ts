import { createReadStream } from "node:fs"
import { open } from "node:fs/promises"
import { pipeline, Readable, type Duplex, Transform } from "node:stream"
import { isGzip, unpackPieces } from "../../feed/guard/unpack.ts"
import { limits } from "../contract/Limits.ts"
import { type FileRow, type FileColumns, importColumns } from "./ImportRow.ts"
import type { JobRow } from "./JobRow.ts"
import { presetColumns } from "./presets.ts"
import type { Token } from "stream-json/parser.js"
import { streamArray } from "stream-json/streamers/stream-array.js"
import { withParser } from "stream-json/utils/with-parser.js"
import { parse } from "csv-parse"

/** Maximum length of a row. Without it, a missing quote would buffer the rest of the file. */
const maxRowLength = 1024 * 1024

const rowTooLong = (where: string): Error => new Error(`${where} is longer than 1 MB`)

const [quote, newline, carriageReturn] = [0x22, 0x0a, 0x0d]
const byteOrderMark = Buffer.from("\uFEFF")

/**
 * Fails at a row that is too long. It counts bytes itself, because csv-parse limits only the content of fields, not the
 * number of empty ones.
 */
const boundedRecords = (): Transform => {
  let isFirst = true
  let isQuoted = false
  let hasHeader = false
  let bytes = 0
  let line = 1
  let beginsIn = 1
  return new Transform({
    transform: (chunk: Buffer, _, done) => {
      const hasMark = isFirst && chunk.subarray(0, byteOrderMark.length).equals(byteOrderMark)
      isFirst = false
      for (let at = 0; at < chunk.length; at++) {
        const byte = chunk[at]
        if (byte === quote) isQuoted = !isQuoted
        if (byte === newline) line += 1
        if (!isQuoted && (byte === newline || byte === carriageReturn)) {
          bytes = 0
          beginsIn = line
          continue
        }
        hasHeader = true
        if (++bytes > maxRowLength) return done(rowTooLong(`the row in line ${beginsIn}`))
      }
      done(null, hasMark ? chunk.subarray(byteOrderMark.length) : chunk)
    },
    flush: (done) => done(hasHeader ? null : new Error("it has no header"))
  })
}

const noColumn = ({ naming }: FileColumns) =>
  `the header has none of the columns ${naming.slice(0, -1).join(", ")} and ${naming.at(-1)}; commas separate columns`

/** Parses CSV records by column, with only the columns needed. Fails if no column identifies a line, or one occurs twice. */
const csvRows = (columns: FileColumns): Duplex =>
  parse({
    // The row ends that `boundedRecords` counts.
    record_delimiter: ["\r\n", "\n", "\r"],
    skip_empty_lines: true,
    columns: (header: ReadonlyArray<string>) => {
      if (!header.some((name) => columns.naming.includes(name))) throw new Error(noColumn(columns))
      const twice = header.find((name, at) => columns.read.has(name) && header.indexOf(name) < at)
      if (twice !== undefined) throw new Error(`the header has the column ${twice} twice`)
      return header.map((name) => (columns.read.has(name) ? name : false))
    }
  })

/** Tokens at which an item of the list may end. */
const lastTokens: ReadonlySet<Token["name"]> = new Set([
  "endObject",
  "endArray",
  "stringValue",
  "numberValue",
  "trueValue",
  "falseValue",
  "nullValue"
] as const)

/** Tokens that repeat earlier chunks or are not in the text. */
const uncounted: ReadonlySet<Token["name"]> = new Set([
  "keyValue",
  "stringValue",
  "numberValue",
  "startNumber",
  "endNumber"
] as const)

const measureToken = (token: Token): number => {
  if (token.name === "stringChunk" || token.name === "numberChunk") return token.value.length
  return uncounted.has(token.name) ? 0 : 1
}

/** Assembles the items of a list and counts their length while parsing. An item that is too long is not buffered. */
const boundedItems = () => {
  const assemble = streamArray()
  let row = 1
  let depth = 0
  let length = 0
  const countAndAssemble = (token: Token): unknown => {
    const { name } = token
    if (name === "startObject" || name === "startArray") depth += 1
    else if (name === "endObject" || name === "endArray") depth -= 1
    length += measureToken(token)
    if (length > maxRowLength) throw rowTooLong(`row ${row}`)
    const item = assemble(token)
    if (depth !== 1 || !lastTokens.has(name)) return item
    const counted = { ...Object(item), length }
    row += 1
    length = 0
    return counted
  }
  return Object.assign(countAndAssemble, assemble)
}

/** Streams items of a JSON list as `{value, length}`, with one in the buffer. Fails at an item that is too long. */
const jsonRows = (): Duplex => withParser.asStream(boundedItems, { readableHighWaterMark: 1 })

/** The settings that decide how a file is read. */
export type Layout = Pick<JobRow, "format" | "preset">

/** True if a file begins with the gzip header. */
export const isPacked = async (path: string): Promise<boolean> => {
  const file = await open(path)
  try {
    return isGzip((await file.read(Buffer.alloc(2), 0, 2, 0)).buffer)
  } finally {
    await file.close()
  }
}

const makeReaders = ({ format, preset }: Layout) =>
  format === "json"
    ? ([jsonRows()] as const)
    : ([boundedRecords(), csvRows(preset === null ? importColumns : presetColumns(preset))] as const)

/** A row of a batch; undefined for an item of a JSON list that is not an object. */
export type BatchRow = FileRow | undefined

interface SizedRow {
  readonly row: BatchRow
  readonly length: number
}

const isRow = (value: unknown): value is FileRow => typeof value === "object" && value !== null && !Array.isArray(value)

const sized = (format: Layout["format"], item: unknown): SizedRow => {
  if (!isRow(item)) return { row: undefined, length: 0 }
  const { value, length } = item
  if (format === "json") return { row: isRow(value) ? value : undefined, length: Number(length) }
  const cells = Object.values(item)
  return { row: item, length: cells.reduce<number>((sum, cell) => sum + String(cell).length, 0) }
}

/** Rows per write, as many as one event of changed quantities holds. */
const batchRows = limits.changesPerEvent

/**
 * Streams the rows of an imported file in batches of 500, or fewer if they are long. Fails if the file is invalid or
 * too long.
 */
export const fileRows = async function* (path: string, layout: Layout): AsyncGenerator<ReadonlyArray<BatchRow>> {
  const readers = makeReaders(layout)
  const unpacked = Readable.from(unpackPieces(createReadStream(path), limits.importBytes), { objectMode: false })
  // A failure of the pipeline also ends the iteration below.
  pipeline([unpacked, ...readers], () => undefined)
  const items: AsyncIterable<unknown> = readers.length === 1 ? readers[0] : readers[1]
  let count = 0
  let batch: Array<BatchRow> = []
  let batchLength = 0
  for await (const item of items) {
    if (++count > limits.importRows) throw new Error(`the file has more than ${limits.importRows} rows`)
    const { length, row } = sized(layout.format, item)
    batch.push(row)
    batchLength += length
    if (batch.length === batchRows || batchLength > maxRowLength) {
      yield batch
      batch = []
      batchLength = 0
    }
  }
  if (batch.length > 0) yield batch
}
