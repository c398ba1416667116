import { duckdbRows } from "./duckdbRows.ts"
import {
  filled,
  type TypeNames,
  type Warehouse,
  addColumn,
  columnLines,
  columnNames,
  comments,
  doubled,
  removeRows,
  typeIn
} from "./LoadPlan.ts"

const types: TypeNames = {
  BOOLEAN: "boolean",
  INT32: "integer",
  INT64: "bigint",
  VARCHAR: "varchar",
  DATE: "date",
  TIMESTAMP: "timestamptz",
  DECIMAL: "decimal"
}

export const duckdb: Warehouse = {
  title: "DuckDB",
  usage: "duckdb warehouse.duckdb < load.sql",
  isRemote: false,
  transaction: ["begin transaction", "commit"],
  text: doubled,
  prepare: () => ["create schema if not exists cardlake"],
  create: (table) => [
    `create table if not exists cardlake.${table.name} (\n${columnLines(table, (column) => `${column.name} ${typeIn(types, column)}`)}\n)`
  ],
  extend: (table, column) => addColumn(table, column, typeIn(types, column)),
  describe: comments,
  fill: (plan, load) => {
    const remove = removeRows(load, doubled)
    if (filled(load).length === 0) return [remove]
    const { table } = load
    return [remove, `insert into cardlake.${table.name} (${columnNames(table)})\n${duckdbRows(plan, load).join("\n")}`]
  }
}
