import { type ColumnStatistics, lowerText, upperText } from "../../drop/fileStatistics.ts"
import type { KeyValue } from "./avro.ts"
import type { DropType } from "../../drop/exportTables.ts"

/** The maximum length of text bounds; a bound must be valid, not exact. */
const maxTextLength = 16

const integer = (value: bigint, bytes: 4 | 8): Buffer => {
  const buffer = Buffer.alloc(bytes)
  if (bytes === 4) buffer.writeInt32LE(Number(value))
  else buffer.writeBigInt64LE(value)
  return buffer
}

/** Encodes an integer in two's complement, big-endian, in as few bytes as possible. */
const unscaled = (value: bigint): Buffer => {
  const buffer = Buffer.alloc(8)
  buffer.writeBigInt64BE(value)
  let first = 0
  while (first < 7) {
    const fill = (buffer[first + 1] ?? 0) >= 0x80 ? 0xff : 0
    if (buffer[first] !== fill) break
    first++
  }
  return buffer.subarray(first)
}

/** Encodes a bound of a column: a text, or an integer of days, microseconds or unscaled decimal digits. */
export const boundBytes = (type: DropType, side: "lower" | "upper", value: string): Buffer | null => {
  switch (type) {
    case "VARCHAR": {
      const text = side === "upper" ? upperText(value, maxTextLength) : lowerText(value, maxTextLength)
      return text === null ? null : Buffer.from(text)
    }
    case "BOOLEAN":
      return Buffer.from([value === "0" ? 0 : 1])
    case "INT32":
    case "DATE":
      return integer(BigInt(value), 4)
    case "INT64":
    case "TIMESTAMP":
      return integer(BigInt(value), 8)
    default:
      return unscaled(BigInt(value))
  }
}

/** A file's statistics for a manifest, as maps by column id. A column with unknown bounds has no entry. */
export const columnMaps = (columns: ReadonlyArray<ColumnStatistics>) => {
  const counts = (count: (one: ColumnStatistics) => number) =>
    columns.map((one): KeyValue<number> => ({ key: one.column.fieldId, value: count(one) }))
  const bounds = (side: "lower" | "upper") =>
    columns.flatMap(({ column, greatest, least }): ReadonlyArray<KeyValue<Buffer>> => {
      const value = side === "lower" ? least : greatest
      const bytes = value === null ? null : boundBytes(column.type, side, value)
      return bytes === null ? [] : [{ key: column.fieldId, value: bytes }]
    })
  return {
    column_sizes: counts(({ compressedBytes }) => compressedBytes),
    value_counts: counts(({ values }) => values),
    null_value_counts: counts(({ nulls }) => nulls),
    nan_value_counts: null,
    lower_bounds: bounds("lower"),
    upper_bounds: bounds("upper")
  }
}
