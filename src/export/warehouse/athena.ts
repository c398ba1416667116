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

/** Tables over the files themselves: Athena computes the partitions, so there is nothing to load, ever. */
export const athena: Engine = {
  title: "Athena",
  usage: "once, a statement at a time; a new game in the drop needs it again after drop table",
  statements: (plan) => [
    "create database if not exists cardlake",
    ...plan.tables.map(
      (table) => `create external table if not exists cardlake.${table.name} (
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
    )
  ]
}
