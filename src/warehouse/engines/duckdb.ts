import { duckdbRows } from "./duckdbRows.ts"
import { type Warehouse, columnNames, comments, definitions, doubled, replaceRows, typesWith } from "./LoadPlan.ts"

const { create, extend } = definitions(typesWith({ TIMESTAMP: "timestamptz" }))

export const duckdb: Warehouse = {
  title: "DuckDB",
  usage: "duckdb warehouse.duckdb < load.sql",
  isRemote: false,
  transaction: ["begin transaction", "commit"],
  text: doubled,
  prepare: () => ["create schema if not exists cardlake"],
  create: (table) => [create(table)],
  extend,
  describe: comments,
  fill: (plan, load) =>
    replaceRows(load, doubled, () => [
      `insert into cardlake.${load.table.name} (${columnNames(load.table)})\n${duckdbRows(plan, load).join("\n")}`
    ])
}
