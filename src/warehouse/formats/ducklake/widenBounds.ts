import type { DatabaseSync } from "node:sqlite"
import type { DropType } from "../../drop/exportTables.ts"
import type { ColumnStatistics } from "../../drop/fileStatistics.ts"
import { lowerText, upperText } from "../../drop/textBounds.ts"
import { maxTextLength, valueText } from "./duckDbText.ts"

/** DuckDB omits trailing zeros of a second. */
const inMicros = (instant: string): string => {
  const [second = "", part = ""] = instant.replace("+00", "").split(".")
  return `${second}.${part.padEnd(6, "0")}`
}

/** Whether a value is below another one in DuckDB's order. */
const isBelow = (type: DropType, one: string, other: string): boolean => {
  if (type === "VARCHAR" || type === "DATE") return Buffer.compare(Buffer.from(one), Buffer.from(other)) < 0
  if (type === "TIMESTAMP") return inMicros(one) < inMicros(other)
  return BigInt(one.replace(".", "")) < BigInt(other.replace(".", ""))
}

/** A bound of all files: a text may be cut, as long as the bound holds. */
const boundText = ({ column, greatest, least }: ColumnStatistics, side: "lower" | "upper"): string | null => {
  const value = side === "lower" ? least : greatest
  if (value === null) return null
  if (column.type !== "VARCHAR") return valueText(column, value)
  return side === "lower" ? lowerText(value, maxTextLength) : (upperText(value, maxTextLength) ?? value)
}

/**
 * Widens a table's bounds by those of a new file. They never shrink, so they hold for earlier snapshots, too.
 * Without them, DuckDB takes the bounds of rows that somebody inserts for those of the whole table.
 */
export const widenBounds = (
  database: DatabaseSync,
  tableId: number,
  columns: ReadonlyArray<ColumnStatistics>
): void => {
  const read = database.prepare("select * from ducklake_table_column_stats where table_id = ? and column_id = ?")
  const drop = database.prepare("delete from ducklake_table_column_stats where table_id = ? and column_id = ?")
  const write = database.prepare(
    "insert into ducklake_table_column_stats (table_id, column_id, contains_null, min_value, max_value) values (?, ?, ?, ?, ?)"
  )
  for (const one of columns) {
    const { fieldId, type } = one.column
    const before = read.get(tableId, fieldId) ?? {}
    const widest = (side: "lower" | "upper", had: unknown): string | null => {
      const bound = boundText(one, side)
      if (typeof had !== "string" || bound === null) return typeof had === "string" ? had : bound
      const isWider = side === "lower" ? isBelow(type, bound, had) : isBelow(type, had, bound)
      return isWider ? bound : had
    }
    drop.run(tableId, fieldId)
    const hasNull = one.nulls > 0 || before["contains_null"] === 1
    write.run(
      tableId,
      fieldId,
      hasNull ? 1 : 0,
      widest("lower", before["min_value"]),
      widest("upper", before["max_value"])
    )
  }
}
