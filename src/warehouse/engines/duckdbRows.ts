import { duckdbType } from "../drop/stagePartition.ts"
import { tableAddress, type LoadPlan, type TableLoad, columnNames, doubled, withinFiles } from "./LoadPlan.ts"

/** Escapes brackets, stars and question marks in a path, which are patterns in DuckDB. */
const literal = (path: string): string => path.replaceAll(/[[*?]/g, "[$&]")

/** The lines of a query of a table's rows in the files; a column that no file has yet is null. */
export const duckdbRows = (plan: LoadPlan, load: TableLoad): ReadonlyArray<string> => {
  const { table } = load
  const nothing = table.columns.map((column) => `null::${duckdbType(column)} as ${column.name}`).join(", ")
  const files = doubled(`${literal(tableAddress(plan, table))}/*/*/*.parquet`)
  return [
    `select ${columnNames(table)}`,
    "from (",
    `  select ${nothing}, null::varchar as game, null::date as dt where false`,
    "  union all by name",
    `  from read_parquet(${files}, hive_partitioning = true, hive_types = {dt: date, game: varchar}, union_by_name = true)`,
    ")",
    `where ${withinFiles(load, doubled, ["game", "dt"])}`
  ]
}
