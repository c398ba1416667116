import {
  columnLines,
  columnNames,
  escaped,
  filesOf,
  replaced,
  typeIn,
  type Engine,
  type TypeNames
} from "./LoadPlan.ts"

const types: TypeNames = {
  BOOLEAN: "boolean",
  INT32: "int",
  INT64: "bigint",
  VARCHAR: "string",
  DATE: "date",
  TIMESTAMP: "timestamp",
  DECIMAL: "decimal"
}

/** Delta tables; each statement replaces its rows in one step, and adds columns that the table lacks. */
export const databricks: Engine = {
  title: "Databricks",
  usage: "as a query of a SQL warehouse, with the drop in an external location",
  statements: (plan) => [
    "create schema if not exists cardlake",
    ...plan.tables.flatMap((table) => [
      `create table if not exists cardlake.${table.name} (
${columnLines(table, (column) => `${column.name} ${typeIn(types, column)} comment ${escaped(column.comment)}`)}
)
comment ${escaped(table.comment)}`,
      `insert with schema evolution into cardlake.${table.name}
replace where ${replaced(plan)}
select ${columnNames(table)}
from read_files(
  '${filesOf(plan, table)}',
  format => 'parquet',
  fileNamePattern => '*.parquet',
  schema => '${table.columns.map((column) => `${column.name} ${typeIn(types, column)}`).join(", ")}'
)
where ${replaced(plan)}`
    ])
  ]
}
