import { duckdbRows } from "./duckdbRows.ts"
import {
  commonTypes,
  type Warehouse,
  addColumn,
  columnLines,
  columnNames,
  comments,
  doubled,
  replaceRows,
  typeIn
} from "./LoadPlan.ts"

const types = { ...commonTypes, TIMESTAMP: "timestamptz" }

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
  fill: (plan, load) =>
    replaceRows(load, doubled, () => [
      `insert into cardlake.${load.table.name} (${columnNames(load.table)})\n${duckdbRows(plan, load).join("\n")}`
    ])
}
