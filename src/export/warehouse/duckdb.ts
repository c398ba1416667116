import {
  columnLines,
  columnNames,
  comments,
  doubled,
  filesOf,
  replaced,
  typeIn,
  type Engine,
  type TypeNames
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

export const duckdb: Engine = {
  title: "DuckDB",
  usage: "duckdb warehouse.duckdb < load.sql",
  statements: (plan) => [
    "create schema if not exists cardlake",
    ...plan.tables.flatMap((table) => [
      `create table if not exists cardlake.${table.name} (\n${columnLines(table, (column) => `${column.name} ${typeIn(types, column)}`)}\n)`,
      ...comments(table)
    ]),
    "begin transaction",
    ...plan.tables.flatMap((table) => {
      const files = doubled(`${filesOf(plan, table)}/*/*/*.parquet`)
      return [
        `delete from cardlake.${table.name} where ${replaced(plan)}`,
        `insert into cardlake.${table.name} (${columnNames(table)})
select ${columnNames(table)}
from read_parquet(${files}, hive_partitioning = true, hive_types = {dt: date, game: varchar}, union_by_name = true)
where ${replaced(plan, "dt")}`
      ]
    }),
    "commit"
  ]
}
