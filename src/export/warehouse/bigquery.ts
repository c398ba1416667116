import {
  addColumns,
  columnLines,
  columnNames,
  escaped,
  filesOf,
  replaced,
  typeIn,
  type Engine,
  type TypeNames
} from "./LoadPlan.ts"

const types: TypeNames = {
  BOOLEAN: "bool",
  INT32: "int64",
  INT64: "int64",
  VARCHAR: "string",
  DATE: "date",
  TIMESTAMP: "timestamp",
  DECIMAL: "numeric"
}

/** A table of its own, filled from an external one over the files. A bucket of Google's is named by `gs://` here. */
export const bigquery: Engine = {
  title: "BigQuery",
  usage: "bq query --use_legacy_sql=false < load.sql, with the drop in a bucket of Google Cloud",
  statements: (plan) => {
    const onGoogle = { ...plan, location: plan.location.replace(/^s3:/, "gs:") }
    return [
      "create schema if not exists cardlake",
      ...plan.tables.flatMap((table) => [
        `create table if not exists cardlake.${table.name} (
${columnLines(table, (column) => `${column.name} ${typeIn(types, column)} options (description = ${escaped(column.comment)})`)}
)
partition by snapshot_date`,
        ...addColumns(table, (column) => `${typeIn(types, column)} options (description = ${escaped(column.comment)})`),
        `alter table cardlake.${table.name} set options (description = ${escaped(table.comment)})`,
        `create or replace external table cardlake.${table.name}_drop (
${columnLines(table, (column) => `${column.name} ${typeIn(types, column)}`)}
)
with partition columns (game string, dt date)
options (
  format = 'PARQUET',
  uris = ['${filesOf(onGoogle, table)}/*.parquet'],
  hive_partition_uri_prefix = '${filesOf(onGoogle, table)}'
)`
      ]),
      "begin transaction",
      ...plan.tables.flatMap((table) => [
        `delete from cardlake.${table.name} where ${replaced(plan)}`,
        `insert into cardlake.${table.name} (${columnNames(table)})
select ${columnNames(table)} from cardlake.${table.name}_drop
where ${replaced(plan, "dt")}`
      ]),
      "commit transaction"
    ]
  }
}
