import {
  addColumns,
  columnLines,
  columnNames,
  comments,
  replaced,
  typeIn,
  type Engine,
  type TypeNames
} from "./LoadPlan.ts"
import { duckdbRows } from "./duckdbRows.ts"

const types: TypeNames = {
  BOOLEAN: "boolean",
  INT32: "integer",
  INT64: "bigint",
  VARCHAR: "varchar",
  DATE: "date",
  TIMESTAMP: "timestamptz",
  DECIMAL: "decimal"
}

export const duckdb: Engine = {
  title: "DuckDB",
  usage: "duckdb warehouse.duckdb < load.sql",
  statements: (plan) => [
    "create schema if not exists cardlake",
    ...plan.tables.flatMap((table) => [
      `create table if not exists cardlake.${table.name} (\n${columnLines(table, (column) => `${column.name} ${typeIn(types, column)}`)}\n)`,
      ...addColumns(table, (column) => typeIn(types, column)),
      ...comments(table)
    ]),
    "begin transaction",
    ...plan.tables.flatMap((table) => [
      `delete from cardlake.${table.name} where ${replaced(plan)}`,
      `insert into cardlake.${table.name} (${columnNames(table)})
${duckdbRows(plan, table)}`
    ]),
    "commit"
  ]
}
