import {
  addedColumns,
  columnLines,
  comments,
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
  VARCHAR: "varchar(65535)",
  DATE: "date",
  TIMESTAMP: "timestamp",
  DECIMAL: "decimal"
}

/**
 * COPY reads everything below a prefix, so it gets each partition's manifest, which lists only Parquet. There is no
 * `add column if not exists`, so psql runs a query's output; `fillrecord` is for files that lack the last columns.
 */
export const redshift: Engine = {
  title: "Redshift",
  usage: "psql -h your-cluster -v ON_ERROR_STOP=1 -f load.sql, with the drop in a bucket of the cluster's region",
  statements: (plan) => [
    "create schema if not exists cardlake",
    ...plan.tables.flatMap((table) => [
      `create table if not exists cardlake.${table.name} (
${columnLines(table, (column) => `${column.name} ${typeIn(types, column)}`)}
)
distkey (game_id)
compound sortkey (game_id, snapshot_date)`,
      ...addedColumns(table).map(
        (column) => `select 'alter table cardlake.${table.name} add column ${column.name} ${typeIn(types, column)}'
where not exists (
  select 1 from svv_columns
  where table_schema = 'cardlake' and table_name = '${table.name}' and column_name = '${column.name}'
)
\\gexec`
      ),
      ...comments(table)
    ]),
    "begin",
    ...plan.tables.flatMap((table) => [
      `delete from cardlake.${table.name} where ${replaced(plan)}`,
      ...plan.partitions
        .filter((partition) => partition.table === table.name)
        .map(
          ({ dt, game }) =>
            `copy cardlake.${table.name} from '${filesOf(plan, table)}/game=${game}/dt=${dt}/_manifest.json' iam_role default format as parquet manifest fillrecord`
        )
    ]),
    "commit"
  ]
}
