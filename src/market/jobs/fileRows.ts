import { createReadStream } from "node:fs"
import { open } from "node:fs/promises"
import { pipeline, Readable } from "node:stream"
import { isGzip, unpackPieces } from "../../feed/guard/unpack.ts"
import { limits } from "../contract/Limits.ts"
import { boundedRecords, csvRows } from "./csvRows.ts"
import type { FileRow } from "./FileRow.ts"
import { importColumns } from "./ImportRow.ts"
import type { JobRow } from "./JobRow.ts"
import { jsonRows } from "./jsonRows.ts"
import { maxRowLength } from "./maxRowLength.ts"
import { presetColumns } from "./presets.ts"

/** What decides how a file is read. */
export type Layout = Pick<JobRow, "format" | "preset">

/** True if a file begins as gzip does. */
export const isPacked = async (path: string): Promise<boolean> => {
  const file = await open(path)
  try {
    return isGzip((await file.read(Buffer.alloc(2), 0, 2, 0)).buffer)
  } finally {
    await file.close()
  }
}

const readersOf = ({ format, preset }: Layout) =>
  format === "json"
    ? ([jsonRows()] as const)
    : ([boundedRecords(), csvRows(preset === null ? importColumns : presetColumns(preset))] as const)

/** A row of a batch; undefined: an item of a JSON list that is no object. */
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

/** Rows that are read, and written, together: as many as one event of changed quantities holds. */
const batchRows = limits.changesPerEvent

/**
 * The rows of an imported file in batches of 500, fewer where they are long; never
 * all of them in memory. Fails when the file is broken or too long.
 */
export const fileRows = async function* (path: string, layout: Layout): AsyncGenerator<ReadonlyArray<BatchRow>> {
  const readers = readersOf(layout)
  const unpacked = Readable.from(unpackPieces(createReadStream(path), limits.importBytes), { objectMode: false })
  // A failure on the way ends the iteration below with it.
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
