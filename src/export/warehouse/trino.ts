import { addColumns, columnLines, doubled, filesOf, typeIn, type Engine, type TypeNames } from "./LoadPlan.ts"

const types: TypeNames = {
  BOOLEAN: "boolean",
  INT32: "integer",
  INT64: "bigint",
  VARCHAR: "varchar",
  DATE: "date",
  TIMESTAMP: "timestamp",
  DECIMAL: "decimal"
}

/** Tables over the files themselves; only their list of partitions has to be updated after an export. */
export const trino: Engine = {
  title: "Trino",
  usage: "trino --catalog hive -f load.sql, where hive is a catalog of the Hive connector",
  statements: (plan) => [
    "create schema if not exists cardlake",
    ...plan.tables.flatMap((table) => [
      `create table if not exists cardlake.${table.name} (
${columnLines(table, (column) => `${column.name} ${typeIn(types, column)} comment ${doubled(column.comment)}`, ["game varchar", "dt date"])}
)
comment ${doubled(table.comment)}
with (
  format = 'PARQUET',
  external_location = '${filesOf(plan, table)}',
  partitioned_by = array['game', 'dt']
)`,
      ...addColumns(table, (column) => `${typeIn(types, column)} comment ${doubled(column.comment)}`),
      `call system.sync_partition_metadata('cardlake', '${table.name}', 'FULL')`
    ])
  ]
}
