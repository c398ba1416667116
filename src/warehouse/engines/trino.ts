import { tableAddress, commonTypes, type Warehouse, addColumn, columnLines, doubled, typeIn } from "./LoadPlan.ts"
import type { ExportColumn } from "../drop/exportTables.ts"

const described = (column: ExportColumn): string => `${typeIn(commonTypes, column)} comment ${doubled(column.comment)}`

/** After an export, only the list of partitions needs an update. Times have no zone, so the catalog sets it. */
export const trino: Warehouse = {
  title: "Trino",
  usage: "trino --catalog hive -f load.sql, with a catalog hive of the Hive connector and hive.parquet.time-zone=UTC",
  isRemote: false,
  transaction: null,
  text: doubled,
  prepare: () => ["create schema if not exists cardlake"],
  create: (table, plan) => [
    `create table if not exists cardlake.${table.name} (
${columnLines(table, (column) => `${column.name} ${described(column)}`, ["game varchar", "dt date"])}
)
comment ${doubled(table.comment)}
with (
  format = 'PARQUET',
  external_location = ${doubled(tableAddress(plan, table))},
  partitioned_by = array['game', 'dt']
)`
  ],
  extend: (table, column) => addColumn(table, column, described(column)),
  attach: (_, { table }) => [`call system.sync_partition_metadata('cardlake', '${table.name}', 'FULL')`]
}
