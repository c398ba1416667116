import { assert } from "@effect/vitest"
import { Effect } from "effect"
import { asyncBufferFromFile, parquetMetadataAsync, parquetReadObjects } from "hyparquet"
import { compressors } from "hyparquet-compressors"
import { join } from "node:path"
import { readSnapshots } from "../../../../src/store/home/Manifest.ts"
import { snapshotTables } from "../../../../src/feed/schema/snapshotTables.ts"
import type { TableFile } from "../../../../src/feed/schema/tableFile.ts"
import { parquetRows } from "../../../pipelines/parquetRows.ts"
import { suite } from "../../../support/suite.ts"
import { tried } from "../../../tried.ts"
import { sampleGame, sampleHome } from "../sampleHome.ts"

const newestFolder = Effect.map(readSnapshots(sampleGame), (snapshots) => snapshots.at(-1)?.folder ?? "")

/** One form for what the readers give differently: decimals as numbers, instants as their time. */
const plain = (value: unknown): unknown => {
  if (value === undefined || value === null) return null
  if (typeof value === "bigint") return Number(value)
  // hyparquet multiplies a decimal's digits by 0.0001.
  if (typeof value === "number") return Number(value.toFixed(4))
  if (value instanceof Date) return value.getTime()
  if (typeof value === "string" && /^-?\d+(\.\d+)?$/.test(value)) return Number(value)
  if (typeof value === "object" && Symbol.iterator in value) return [...(value as Iterable<unknown>)].map(plain)
  if (typeof value === "object") return JSON.stringify(value)
  return value
}
const plainRow = (row: Readonly<Record<string, unknown>>, json: ReadonlySet<string>) =>
  Object.fromEntries(
    Object.entries(row).map(([column, value]) => [
      column,
      json.has(column) && typeof value === "string" ? JSON.stringify(JSON.parse(value)) : plain(value)
    ])
  )
const jsonColumns = new Set(["attributes", "extra"])

const keyOf = (table: TableFile): ReadonlyArray<string> => table.grain.replaceAll(/[()]/g, "").split(", ")

/** Tables not in the order of their grain: ids of deployments are opaque, so time orders them. */
const filedBy: Readonly<Record<string, ReadonlyArray<string>>> = {
  deployments: ["sequence"],
  deployment_changes: ["entity", "change", "position"]
}

/** DuckDB's order: texts by their bytes; null first, as language null comes before languages. */
const compare = (a: unknown, b: unknown): number => {
  if (a === null || b === null) return a === b ? 0 : a === null ? -1 : 1
  if (typeof a === "string" && typeof b === "string") return Buffer.compare(Buffer.from(a), Buffer.from(b))
  return Number(a) - Number(b)
}
const isSorted = (rows: ReadonlyArray<Record<string, unknown>>, key: ReadonlyArray<string>): boolean =>
  rows.every((row, at) => {
    const before = rows[at - 1]
    if (before === undefined) return true
    const first = key.map((column) => compare(before[column], row[column])).find((order) => order !== 0)
    return (first ?? 0) <= 0
  })

suite(sampleHome, "the Parquet of", (it) => {
  for (const table of tried(snapshotTables, (_, index) => index % 3 === 0)) {
    it(`${table.name} is ZSTD, in the order of its key, and reads the same by hyparquet and parquet-wasm`, function* () {
      const path = join(yield* newestFolder, `${table.name}.parquet`)
      const file = yield* Effect.promise(() => asyncBufferFromFile(path))
      const metadata = yield* Effect.promise(() => parquetMetadataAsync(file))
      const codecs = metadata.row_groups.flatMap((group) => group.columns.map((column) => column.meta_data?.codec))
      assert.deepStrictEqual([...new Set(codecs)], codecs.length === 0 ? [] : ["ZSTD"])

      const hyparquet = yield* Effect.promise(() => parquetReadObjects({ file, compressors }))
      const wasm = parquetRows(path)
      assert.deepStrictEqual(
        hyparquet.map((row) => plainRow(row, jsonColumns)),
        wasm.map((row) => plainRow(row, jsonColumns))
      )
      assert.strictEqual(wasm.length, Number(metadata.num_rows))
      const key = filedBy[table.name] ?? keyOf(table)
      assert.isTrue(isSorted(wasm, key), `${table.name} by ${key.join(", ")}`)
    })
  }
})
