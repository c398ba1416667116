import type { ColumnStatistics } from "../drop/fileStatistics.ts"
import { boundBytes } from "./boundBytes.ts"

/** An entry of a map, in Avro's form for keys that are not texts. */
export interface KeyValue<A> {
  readonly key: number
  readonly value: A
}

/**
 * A file's statistics as a manifest has them: maps by the column's id. A column whose bounds are not known gets none.
 */
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
