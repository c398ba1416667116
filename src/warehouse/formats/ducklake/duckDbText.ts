import { dayText } from "../../drop/days.ts"
import type { ColumnStatistics } from "../../drop/fileStatistics.ts"
import type { DatabaseSync, SQLInputValue } from "node:sqlite"

/** Formats microseconds since 1970, UTC, as DuckDB writes an instant. */
export const instantText = (micros: bigint): string => {
  const part = ((micros % 1_000_000n) + 1_000_000n) % 1_000_000n
  const second = new Date(Number((micros - part) / 1000n)).toISOString().slice(0, 19)
  return `${second.replace("T", " ")}.${String(part).padStart(6, "0")}+00`
}

const decimalText = (digits: string, places: number): string => {
  const sign = digits.startsWith("-") ? "-" : ""
  const padded = digits.slice(sign.length).padStart(places + 1, "0")
  return `${sign}${padded.slice(0, -places)}.${padded.slice(-places)}`
}

/** The maximum length of text bounds. Readers take a bound for an existing value, so a text must not be cut. */
export const maxTextLength = 256

export const valueText = ({ type }: ColumnStatistics["column"], value: string): string | null => {
  switch (type) {
    case "VARCHAR":
      return value.length > maxTextLength ? null : value
    case "DATE":
      return dayText(Number(value))
    case "TIMESTAMP":
      return instantText(BigInt(value))
    case "BOOLEAN":
    case "INT32":
    case "INT64":
      return value
    default:
      return decimalText(value, Number(/,(\d+)\)$/.exec(type)?.[1] ?? 0))
  }
}

/** Returns the bounds of a column in DuckDB's text format; null = unknown. */
export const boundTexts = ({ column, greatest, least }: ColumnStatistics) => {
  const low = least === null ? null : valueText(column, least)
  const high = greatest === null ? null : valueText(column, greatest)
  return low === null || high === null ? { min_value: null, max_value: null } : { min_value: low, max_value: high }
}

/** Inserts a row into a table; missing columns are null. */
export const insertRow = (
  database: DatabaseSync,
  table: string,
  row: Readonly<Record<string, SQLInputValue>>
): void => {
  const names = Object.keys(row)
  const values = names.map((name) => `:${name}`)
  database.prepare(`insert into ${table} (${names.join(", ")}) values (${values.join(", ")})`).run({ ...row })
}
