import type { ColumnChunk } from "./parquetFile.ts"
import type { ThriftStruct } from "./thrift.ts"

/** A column of a table while its values are collected. A value that is missing or null is null. */
export interface BatchColumn {
  readonly add: (value: unknown) => void
  /** About as many bytes as it holds. */
  readonly size: () => number
  /** What it holds; empties it. */
  readonly take: () => ColumnChunk
}

export const optional = 1
/** The element of the schema that has the values. */
export const leaf = (name: string, type: number, more: ThriftStruct): ThriftStruct => ({
  1: type,
  3: optional,
  4: name,
  ...more
})
/** Parquet's numbers for what values mean. */
export const converted = { utf8: 0, decimal: 5, micros: 10, json: 19 }
