import { dayText } from "../drop/dayNumber.ts"
import type { ColumnStatistics } from "../drop/fileStatistics.ts"
import { lowerText, upperText } from "../drop/textBounds.ts"

/** Texts are cut here; a bound has to be valid, not exact. */
const maxTextLength = 32

/** A number that JSON holds exactly; money does, since a double holds it (design 6). */
const numberOf = (digits: string, places: number): number | null => {
  const whole = Number(digits)
  return Number.isSafeInteger(whole) ? whole / 10 ** places : null
}

/** A bound as readers compare it; null = the column gets none. */
const boundOf = (
  { column: { type } }: ColumnStatistics,
  side: "lower" | "upper",
  value: string
): number | string | null => {
  switch (type) {
    case "VARCHAR":
      return side === "lower" ? lowerText(value, maxTextLength) : upperText(value, maxTextLength)
    case "BOOLEAN":
      return null
    case "DATE":
      return dayText(Number(value))
    case "TIMESTAMP": {
      // Readers have milliseconds here, columns microseconds.
      const millis = side === "lower" ? Math.floor(Number(value) / 1000) : Math.ceil(Number(value) / 1000)
      return new Date(millis).toISOString()
    }
    default:
      return numberOf(value, Number(/,(\d+)\)$/.exec(type)?.[1] ?? 0))
  }
}

/** A file's statistics as Delta has them: JSON as text. Values of partition columns are not part of them. */
export const deltaStatistics = (
  rows: number,
  columns: ReadonlyArray<ColumnStatistics>,
  partitionColumns: ReadonlyArray<string>
): string => {
  const own = columns.filter(({ column }) => !partitionColumns.includes(column.name))
  const bounds = (side: "lower" | "upper") =>
    Object.fromEntries(
      own.flatMap((one) => {
        const value = side === "lower" ? one.least : one.greatest
        const bound = value === null ? null : boundOf(one, side, value)
        return bound === null ? [] : [[one.column.name, bound] as const]
      })
    )
  return JSON.stringify({
    numRecords: rows,
    minValues: bounds("lower"),
    maxValues: bounds("upper"),
    nullCount: Object.fromEntries(own.map(({ column, nulls }) => [column.name, nulls] as const))
  })
}
