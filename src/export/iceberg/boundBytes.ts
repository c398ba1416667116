import type { DropType } from "../drop/exportTables.ts"
import { lowerText, upperText } from "../drop/textBounds.ts"

/** Texts are cut here; a bound has to be valid, not exact. */
const maxTextLength = 16

const integer = (value: bigint, bytes: 4 | 8): Buffer => {
  const buffer = Buffer.alloc(bytes)
  if (bytes === 4) buffer.writeInt32LE(Number(value))
  else buffer.writeBigInt64LE(value)
  return buffer
}

/** Two's complement with the highest byte first, in as few bytes as possible. */
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

/** The least or greatest value of a column: a text, or a whole number of days, microseconds or smallest digits. */
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
