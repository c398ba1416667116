import { isBucket } from "../../store/home/bucket/homeAddress.ts"
import { leadNames, type ExportColumn } from "../drop/exportTables.ts"
import {
  globs,
  type WarehouseTable,
  type Warehouse,
  columnNames,
  commented,
  definitions,
  doubledBoth,
  removeRows,
  typesWith,
  withinFiles
} from "./LoadPlan.ts"

const typed = typesWith({
  BOOLEAN: "Bool",
  INT32: "Int32",
  INT64: "Int64",
  VARCHAR: "String",
  DATE: "Date32",
  TIMESTAMP: "DateTime64(6, 'UTC')",
  DECIMAL: "Decimal"
})
const clickhouseType = (column: ExportColumn): string =>
  leadNames.has(column.name) ? typed(column) : `Nullable(${typed(column)})`
const { create, extend } = definitions(clickhouseType, commented(doubledBoth))

const sortedBy = ({ columns }: WarehouseTable): string =>
  ["game_id", "snapshot_date", "snapshot_id"]
    .filter((name) => columns.some((column) => column.name === name))
    .join(", ")

/** Files of a bucket or below the server's folder for user files; columns that older files lack are null. */
const source = (files: string, table: WarehouseTable): string => {
  const columns = table.columns.map((column) => `${column.name} ${clickhouseType(column)}`).join(", ")
  const of = `${doubledBoth(files)}, 'Parquet', ${doubledBoth(columns)}`
  return isBucket(files) ? `s3(${of})` : `file(${of})`
}

/** `nights` is loaded last, because it decides which rows of the others count. */
export const clickhouse: Warehouse = {
  title: "ClickHouse",
  usage: "clickhouse-client --multiquery < load.sql",
  isRemote: false,
  transaction: null,
  text: doubledBoth,
  prepare: () => ["create database if not exists cardlake"],
  create: (table) => [
    create(table, `\nengine = MergeTree\norder by (${sortedBy(table)})\ncomment ${doubledBoth(table.comment)}`)
  ],
  extend,
  fill: (plan, load) => {
    const { table } = load
    const inserts = globs(plan, load).map(
      (glob) => `insert into cardlake.${table.name} (${columnNames(table)})
select ${columnNames(table)}
from ${source(glob, table)}
where ${withinFiles(load, doubledBoth)}`
    )
    return [removeRows(load, doubledBoth), ...inserts]
  }
}
