import {
  tableAddress,
  type Warehouse,
  columnNames,
  definitions,
  escaped,
  replaceRows,
  typesWith,
  withinFiles
} from "./LoadPlan.ts"

const typed = typesWith({ BOOLEAN: "bool", INT32: "int64", INT64: "int64", VARCHAR: "string", DECIMAL: "numeric" })
const { create, extend } = definitions(typed, ({ comment }) => ` options (description = ${escaped(comment)})`)

/** A native table, filled from an external one over the files. A Google bucket has a `gs://` address here. */
export const bigquery: Warehouse = {
  title: "BigQuery",
  usage: "bq query --use_legacy_sql=false < load.sql, with the export in a Google Cloud bucket",
  isRemote: true,
  transaction: ["begin transaction", "commit transaction"],
  maxScriptLength: 1_000_000,
  text: escaped,
  prepare: () => ["create schema if not exists cardlake"],
  create: (table) => [create(table, "\npartition by snapshot_date")],
  extend,
  describe: (table) => [`alter table cardlake.${table.name} set options (description = ${escaped(table.comment)})`],
  attach: (plan, { table }) => {
    const folder = tableAddress({ ...plan, location: plan.location.replace(/^s3:/, "gs:") }, table)
    return [
      `create or replace external table cardlake.${table.name}_drop ${definitions(typed).list(table)}
with partition columns (game string, dt date)
options (
  format = 'PARQUET',
  uris = [${escaped(`${folder}/*.parquet`)}],
  hive_partition_uri_prefix = ${escaped(folder)}
)`
    ]
  },
  fill: (_, load) =>
    replaceRows(load, escaped, () => [
      `insert into cardlake.${load.table.name} (${columnNames(load.table)})
select ${columnNames(load.table)} from cardlake.${load.table.name}_drop
where ${withinFiles(load, escaped, ["game", "dt"])}`
    ])
}
