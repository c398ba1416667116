import { Schema } from "effect"
import type { Column, TableFile } from "../../feed/schema/tableFile.ts"
import { tableNamed } from "../../feed/schema/snapshotTables.ts"
import { macros } from "../../store/lake/history/historyTables.ts"

/** Returns the schema of a DuckDB type's values as JSON. */
export const valueSchema = (type: string): Schema.Codec<unknown, unknown> => {
  if (type.endsWith("[]")) return Schema.Array(valueSchema(type.slice(0, -2)))
  if (/^(big|small)?int/.test(type)) return Schema.Int
  if (/^(decimal|double)/.test(type)) return Schema.Finite
  if (type === "boolean") return Schema.Boolean
  return type === "json" ? Schema.Json : Schema.String
}

const isNumber = ({ name, type }: Column) => type === "bigint" && name !== "expansion_id"

/** Returns the schema of a table's rows as JSON, without some of its columns. */
export const rowSchema = (
  { columns, name }: Pick<TableFile, "columns" | "name">,
  without: ReadonlyArray<string> = []
) => {
  const fields = columns
    .filter((column) => !without.includes(column.name))
    .map((column) => {
      const value = valueSchema(column.type || "boolean").annotate({ description: column.comment })
      return [column.name, isNumber(column) || column.name === "game_id" ? value : Schema.NullOr(value)] as const
    })
  return Schema.Struct(Object.fromEntries(fields)).annotate({ title: name })
}

const types = new Map(tableNamed("source_prices").columns.map(({ name, type }) => [name, type || "boolean"]))

/** The columns of macro price_series, which infers their types from those of the prices. */
const seriesColumns = macros
  .filter(({ name }) => name === "price_series")
  .flatMap(({ columns }) => columns.map((column) => ({ ...column, type: types.get(column.name) ?? "varchar" })))

/** A day of a product's prices at a source. */
export const PriceSeries = rowSchema({ name: "price_series", columns: seriesColumns }, ["game_id", "product_id"])

/** The rows that a table has of one product. */
export const productRows = (table: string) => Schema.Array(rowSchema(tableNamed(table), ["game_id", "product_id"]))
