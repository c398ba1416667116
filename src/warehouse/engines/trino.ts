import { tableAddress, type Warehouse, commented, definitions, doubled, typesWith } from "./LoadPlan.ts"

const { extend, list } = definitions(typesWith({}), commented(doubled))

/** After an export, only the list of partitions needs an update. Times have no zone, so the catalog sets it. */
export const trino: Warehouse = {
  title: "Trino",
  usage: "trino --catalog hive -f load.sql, with a catalog hive of the Hive connector and hive.parquet.time-zone=UTC",
  isRemote: false,
  transaction: null,
  text: doubled,
  prepare: () => ["create schema if not exists cardlake"],
  create: (table, plan) => [
    `create table if not exists cardlake.${table.name} ${list(table, ["game varchar", "dt date"])}
comment ${doubled(table.comment)}
with (
  format = 'PARQUET',
  external_location = ${doubled(tableAddress(plan, table))},
  partitioned_by = array['game', 'dt']
)`
  ],
  extend,
  attach: (_, { table }) => [`call system.sync_partition_metadata('cardlake', '${table.name}', 'FULL')`]
}
