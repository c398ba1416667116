import { asyncBufferFromFile, parquetReadObjects } from "hyparquet"
import { ParquetReader } from "@dsnp/parquetjs"
import lite from "parquetjs-lite"
import { parquetRows } from "../pipelines/parquetRows.ts"
import type { ContractText } from "./FourNights.ts"

export type Values = Readonly<Record<string, unknown>>
interface Cursor {
  readonly next: () => Promise<unknown>
}
interface Opened {
  readonly getCursor: () => Cursor
  readonly close: () => Promise<void>
}

const readAll = async (opened: Opened): Promise<ReadonlyArray<Values>> => {
  const cursor = opened.getCursor()
  const rows: Array<Values> = []
  for (let row = await cursor.next(); row !== null && row !== undefined; row = await cursor.next()) {
    rows.push(row as Values)
  }
  await opened.close()
  return rows
}

/** Four readers that know nothing of DuckDB; the last two misread decimals, so they read text. */
export const readers: ReadonlyArray<
  readonly [name: string, asText: boolean, (file: string) => Promise<ReadonlyArray<Values>>]
> = [
  [
    "hyparquet",
    false,
    async (file) => parquetReadObjects({ file: await asyncBufferFromFile(file) }) as Promise<ReadonlyArray<Values>>
  ],
  ["parquet-wasm", false, async (file) => parquetRows(file)],
  ["parquetjs-lite", true, async (file) => readAll(await lite.ParquetReader.openFile(file))],
  ["@dsnp/parquetjs", true, async (file) => readAll(await ParquetReader.openFile(file))]
]

/** A value as exact text, whatever the reader makes of its type. */
const textOf = (value: unknown, type: string): string | null => {
  if (value === null || value === undefined) return null
  if (type.startsWith("DECIMAL")) return typeof value === "number" ? value.toFixed(4) : withPlaces(String(value))
  if (type === "TIMESTAMP") return timeOf(value).toISOString().slice(0, 23)
  if (type === "DATE") return timeOf(value).toISOString().slice(0, 10)
  return String(value)
}
const timeOf = (value: unknown): Date =>
  value instanceof Date ? value : new Date(typeof value === "bigint" ? Number(value) : (value as string | number))
const withPlaces = (text: string): string => {
  const [whole = "", places = ""] = text.split(".")
  return `${whole}.${places.padEnd(4, "0")}`
}

/** Rows as exact texts, in the order of the contract's columns. */
export const rowTexts = ({ columns }: ContractText, rows: ReadonlyArray<Values>) =>
  rows.map((row) => columns.map(({ name, type }) => textOf(row[name], type)))
