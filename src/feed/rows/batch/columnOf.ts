import type { BatchColumn } from "./BatchColumn.ts"
import { InstantColumn, IntegerColumn, WholeColumn } from "./numberColumns.ts"
import { JsonColumn, ListColumn, type OpenWords, TextColumn } from "./textColumns.ts"

/** The column of a table by its DuckDB type. Throws on one that no table has: a fault of the program. */
export const columnOf = (name: string, type: string, open: OpenWords | null): BatchColumn => {
  const [, digits, places] = /^decimal\((\d+), (\d+)\)$/.exec(type) ?? []
  if (digits !== undefined) return new WholeColumn(name, { digits: Number(digits), places: Number(places) })
  switch (type) {
    case "bigint":
      return new WholeColumn(name)
    case "integer":
      return new IntegerColumn(name)
    case "timestamptz":
      return new InstantColumn(name)
    case "varchar":
      return new TextColumn(name, open)
    case "json":
      return new JsonColumn(name)
    case "varchar[]":
      return new ListColumn(name)
    default:
      throw new Error(`No batch has a column of type ${type}`)
  }
}
