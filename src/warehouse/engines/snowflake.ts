import {
  filled,
  groupFiles,
  type LoadedFile,
  type Warehouse,
  columnNames,
  commented,
  definitions,
  doubledBoth,
  replaceRows,
  typesWith,
  withinFiles
} from "./LoadPlan.ts"
import { partName } from "../drop/Drop.ts"

const typed = typesWith({
  INT32: "number(10, 0)",
  INT64: "number(19, 0)",
  TIMESTAMP: "timestamp_ntz",
  DECIMAL: "number"
})
const { create, extend } = definitions(typed, commented(doubledBoth))

/** A pattern of the files' paths; `.` replaces each character with a special meaning. */
const pattern = (files: ReadonlyArray<LoadedFile>): string => {
  const matchAny = (texts: ReadonlyArray<string>) =>
    `(${texts.map((text) => text.replaceAll(/[^\w-]/g, ".")).join("|")})`
  const pieces = groupFiles(files).map(({ days, games }) => `game=${matchAny(games)}/dt=${matchAny(days)}`)
  return `.*/(${pieces.join("|")})/${partName.replaceAll(".", "[.]")}`
}

/** Times are without zone, in the session's. Without `null_if`, a text `\\N` would become null. */
export const snowflake: Warehouse = {
  title: "Snowflake",
  usage: "snow sql -f load.sql, with a storage integration cardlake that can read the export's bucket",
  isRemote: true,
  transaction: ["begin transaction", "commit"],
  text: doubledBoth,
  prepare: ({ location }) => [
    "alter session set timezone = 'UTC'",
    "create schema if not exists cardlake",
    `create or replace stage cardlake.drop_files url = ${doubledBoth(`${location}/`)} storage_integration = cardlake file_format = (type = parquet use_logical_type = true null_if = ())`
  ],
  create: (table) => [create(table, `\ncomment = ${doubledBoth(table.comment)}`)],
  extend,
  fill: (_, load) =>
    replaceRows(load, doubledBoth, () => {
      const { table } = load
      const values = table.columns.map((column) => `$1:${column.name}::${typed(column)} as ${column.name}`)
      return [
        `insert into cardlake.${table.name} (${columnNames(table)})
select ${columnNames(table)} from (
  select ${values.join(",\n    ")}
  from '@cardlake.drop_files/${table.name}/v=${table.version}/' (pattern => ${doubledBoth(pattern(filled(load)))})
)
where ${withinFiles(load, doubledBoth)}`
      ]
    })
}
