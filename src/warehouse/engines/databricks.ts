import {
  globs,
  filled,
  type Warehouse,
  columnNames,
  commented,
  definitions,
  escaped,
  removeRows,
  typesWith,
  within,
  withinFiles
} from "./LoadPlan.ts"

const typed = typesWith({ INT32: "int", VARCHAR: "string" })
const { create } = definitions(typed, commented(escaped))

/** Delta tables. Each statement replaces its rows atomically and adds missing columns. */
export const databricks: Warehouse = {
  title: "Databricks",
  usage: "as a query in a SQL warehouse, with the export in an external location",
  isRemote: true,
  transaction: null,
  text: escaped,
  prepare: () => ["create schema if not exists cardlake"],
  create: (table) => [create(table, `\ncomment ${escaped(table.comment)}`)],
  fill: (plan, load) => {
    if (filled(load).length === 0) return [removeRows(load, escaped)]
    const { table } = load
    const schema = table.columns.map((column) => `${column.name} ${typed(column)}`).join(", ")
    const selects = globs(plan, load).map(
      (glob) => `select ${columnNames(table)}
from read_files(
  ${escaped(glob)},
  format => 'parquet',
  schema => '${schema}'
)
where ${withinFiles(load, escaped)}`
    )
    return [
      `insert with schema evolution into cardlake.${table.name}
replace where ${within(load.stretches, escaped)}
${selects.join("\nunion all\n")}`
    ]
  }
}
