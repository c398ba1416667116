import { readFileSync } from "node:fs"
import { tableFromIPC } from "apache-arrow"
import { readParquet } from "parquet-wasm"

/** A decimal of `scale` places as its shortest text: 149900 at scale 4 is 14.99. */
const decimalText = (words: Uint32Array, scale: number): string => {
  const unsigned = words.reduceRight((sum, word) => (sum << 32n) | BigInt(word), 0n)
  const value = BigInt.asIntN(words.length * 32, unsigned)
  const digits = (value < 0n ? -value : value).toString().padStart(scale + 1, "0")
  const text = `${digits.slice(0, -scale)}.${digits.slice(-scale)}`.replace(/\.?0+$/, "")
  return value < 0n ? `-${text}` : text
}

/**
 * Rows of a Parquet file as another implementation (parquet-wasm) reads them:
 * decimals as exact text, BIGINT as bigint.
 */
export const parquetRows = (file: string): ReadonlyArray<Record<string, unknown>> => {
  const table = tableFromIPC(readParquet(new Uint8Array(readFileSync(file))).intoIPCStream())
  const columns = table.schema.fields.map((field) => {
    const values = table.getChild(field.name)
    const scale = (field.type as { scale?: number }).scale
    const read = (row: number): unknown => {
      const value: unknown = values?.get(row)
      return value instanceof Uint32Array && scale !== undefined ? decimalText(value, scale) : value
    }
    return [field.name, read] as const
  })
  return Array.from({ length: table.numRows }, (_, row) =>
    Object.fromEntries(columns.map(([name, read]) => [name, read(row)]))
  )
}
