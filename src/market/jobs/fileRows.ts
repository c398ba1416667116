import { parse } from "csv-parse"
import { createReadStream } from "node:fs"
import { open } from "node:fs/promises"
import { type Duplex, pipeline, Transform } from "node:stream"
import { createGunzip } from "node:zlib"
import { streamArray } from "stream-json/streamers/stream-array.js"
import { limits } from "../contract/Limits.ts"
import type { FileFormat } from "../contract/jobs/Job.ts"

/** A row of an imported file, by column. */
export type FileRow = Readonly<Record<string, unknown>>

/** Gzip as a format: its first two bytes. Beyond the spec: section 8. */
export const isGzip = async (path: string): Promise<boolean> => {
  const file = await open(path)
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(2), 0, 2, 0)
    return bytesRead === 2 && buffer[0] === 0x1f && buffer[1] === 0x8b
  } finally {
    await file.close()
  }
}

/** Fails once more bytes pass than an import may have unpacked. */
const limitedBytes = () => {
  let bytes = 0
  return new Transform({
    transform: (chunk: Uint8Array, _, done) => {
      bytes += chunk.byteLength
      if (bytes > limits.importBytes) done(new Error(`the file has more than ${limits.importBytes} bytes unpacked`))
      else done(null, chunk)
    }
  })
}

/** The longest record: one that never ends, as after a lost quote, must not be collected for ever. */
const longestRecord = 1024 * 1024

const csvRows = () => parse({ columns: true, bom: true, skip_empty_lines: true, max_record_size: longestRecord })

/** The items of a JSON array come as `{key, value}`. */
const valueOf = (item: unknown): unknown =>
  typeof item === "object" && item !== null && "value" in item ? item.value : {}

const isRow = (value: unknown): value is FileRow => typeof value === "object" && value !== null && !Array.isArray(value)

/** Rows that are read, and written, together: as many as one event of changed quantities holds. */
const batchRows = limits.changesPerEvent

/** The rows of an imported file in batches, never all of them in memory. Fails when the file is broken or too long. */
export const fileRows = async function* (path: string, format: FileFormat): AsyncGenerator<ReadonlyArray<FileRow>> {
  const source = createReadStream(path)
  const unpacked = (await isGzip(path)) ? [createGunzip()] : []
  const rows: Duplex = format === "csv" ? csvRows() : streamArray.withParserAsStream()
  // A failure on the way ends the iteration below with it.
  pipeline([source, ...unpacked, limitedBytes(), rows], () => undefined)
  const items: AsyncIterable<unknown> = rows
  let count = 0
  let batch: Array<FileRow> = []
  for await (const item of items) {
    if (++count > limits.importRows) throw new Error(`the file has more than ${limits.importRows} rows`)
    const row = format === "csv" ? item : valueOf(item)
    batch.push(isRow(row) ? row : {})
    if (batch.length === batchRows) {
      yield batch
      batch = []
    }
  }
  if (batch.length > 0) yield batch
}
