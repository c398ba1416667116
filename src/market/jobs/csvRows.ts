import { parse } from "csv-parse"
import { type Duplex, Transform } from "node:stream"
import type { FileColumns } from "./FileRow.ts"
import { maxRowLength, rowTooLong } from "./maxRowLength.ts"

const [quote, newline, carriageReturn] = [0x22, 0x0a, 0x0d]
const byteOrderMark = Buffer.from("\uFEFF")

/**
 * Fails at a row that is too long. It counts the bytes itself: csv-parse
 * limits what is in the fields, but collects empty ones without end.
 */
export const boundedRecords = (): Transform => {
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

/** Records of a CSV, by column; columns that are not read are left out. Fails if no column says what a row is about. */
export const csvRows = (columns: FileColumns): Duplex =>
  parse({
    // The ends of rows that `boundedRecords` counts with.
    record_delimiter: ["\r\n", "\n", "\r"],
    skip_empty_lines: true,
    columns: (header: ReadonlyArray<string>) => {
      if (!header.some((name) => columns.naming.includes(name))) throw new Error(noColumn(columns))
      return header.map((name) => (columns.read.has(name) ? name : false))
    }
  })
