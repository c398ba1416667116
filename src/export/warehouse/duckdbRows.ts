import type { DropTable } from "../drop/dropTables.ts"
import { duckdbType } from "../drop/nightSelect.ts"
import { columnNames, doubled, filesOf, replaced, type LoadPlan } from "./LoadPlan.ts"

/** A path in which no bracket, star or question mark is a pattern of DuckDB's. */
const literal = (path: string): string => path.replaceAll(/[[*?]/g, "[$&]")

/** A table's rows as DuckDB reads them from the files; a column that no file has yet is null. */
export const duckdbRows = (plan: LoadPlan, table: DropTable): string => {
  const nothing = table.columns.map((column) => `null::${duckdbType(column)} as ${column.name}`).join(", ")
  return `select ${columnNames(table)}
from (
  select ${nothing}, null::varchar as game, null::date as dt where false
  union all by name
  from read_parquet(${doubled(`${literal(filesOf(plan, table))}/*/*/*.parquet`)}, hive_partitioning = true, hive_types = {dt: date, game: varchar}, union_by_name = true)
)
where ${replaced(plan, "dt")}`
}
