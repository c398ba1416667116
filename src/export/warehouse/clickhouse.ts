import {
  addColumns,
  columnLines,
  columnNames,
  doubled,
  filesOf,
  replaced,
  typeIn,
  type Engine,
  type TypeNames
} from "./LoadPlan.ts"
import { isBucket } from "../destination/isBucket.ts"
import { leadColumns } from "../drop/dropNames.ts"
import type { DropColumn, DropTable } from "../drop/dropTables.ts"

const types: TypeNames = {
  BOOLEAN: "Bool",
  INT32: "Int32",
  INT64: "Int64",
  VARCHAR: "String",
  DATE: "Date32",
  TIMESTAMP: "DateTime64(6, 'UTC')",
  DECIMAL: "Decimal"
}
const lead = new Set(leadColumns.map(({ name }) => name))
const sortedBy = new Set(["game_id", "snapshot_date", "snapshot_id"])
const typeOf = (column: DropColumn): string =>
  lead.has(column.name) ? typeIn(types, column) : `Nullable(${typeIn(types, column)})`

/** Files of a bucket, or below the server's folder for users' files; a column that an older one lacks is null. */
const source = (files: string, table: DropTable): string => {
  const columns = table.columns.map((column) => `${column.name} ${typeOf(column)}`).join(", ")
  const of = `${doubled(`${files}/game=*/dt=*/*.parquet`)}, 'Parquet', ${doubled(columns)}`
  return isBucket(files) ? `s3(${of})` : `file(${of})`
}

/** ClickHouse has no transactions across tables: `nights` comes last, and says what is in the others. */
export const clickhouse: Engine = {
  title: "ClickHouse",
  usage: "clickhouse-client --multiquery < load.sql",
  statements: (plan) => [
    "create database if not exists cardlake",
    ...plan.tables.flatMap((table) => [
      `create table if not exists cardlake.${table.name} (
${columnLines(table, (column) => `${column.name} ${typeOf(column)} comment ${doubled(column.comment)}`)}
)
engine = MergeTree
order by (${table.columns
        .filter(({ name }) => sortedBy.has(name))
        .map(({ name }) => name)
        .join(", ")})
comment ${doubled(table.comment)}`,
      ...addColumns(table, (column) => `${typeOf(column)} comment ${doubled(column.comment)}`)
    ]),
    ...plan.tables.flatMap((table) => [
      `delete from cardlake.${table.name} where ${replaced(plan)}`,
      `insert into cardlake.${table.name} (${columnNames(table)})
select ${columnNames(table)}
from ${source(filesOf(plan, table), table)}
where ${replaced(plan)}`
    ])
  ]
}
