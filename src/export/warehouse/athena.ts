import { columnLines, escaped, filesOf, typeIn, type Engine, type TypeNames } from "./LoadPlan.ts"

const types: TypeNames = {
  BOOLEAN: "boolean",
  INT32: "int",
  INT64: "bigint",
  VARCHAR: "string",
  DATE: "date",
  TIMESTAMP: "timestamp",
  DECIMAL: "decimal"
}

/**
 * Tables over the files themselves: Athena computes the partitions, so nothing is ever loaded. Dropping one leaves the
 * files.
 */
export const athena: Engine = {
  title: "Athena",
  usage: "a statement at a time, once, and again when the drop gets a game or a column",
  statements: (plan) => [
    "create database if not exists cardlake",
    ...plan.tables.flatMap((table) => [
      `drop table if exists cardlake.${table.name}`,
      `create external table cardlake.${table.name} (
${columnLines(table, (column) => `${column.name} ${typeIn(types, column)} comment ${escaped(column.comment)}`)}
)
comment ${escaped(table.comment)}
partitioned by (game string, dt date)
stored as parquet
location '${filesOf(plan, table)}/'
tblproperties (
  'projection.enabled' = 'true',
  'projection.game.type' = 'enum',
  'projection.game.values' = '${plan.games.join(",")}',
  'projection.dt.type' = 'date',
  'projection.dt.format' = 'yyyy-MM-dd',
  'projection.dt.range' = '2020-01-01,NOW+1DAYS'
)`
    ])
  ]
}
