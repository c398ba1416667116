import {
  addColumns,
  columnLines,
  columnNames,
  doubled,
  replaced,
  typeIn,
  type Engine,
  type TypeNames
} from "./LoadPlan.ts"

const types: TypeNames = {
  BOOLEAN: "boolean",
  INT32: "number(10, 0)",
  INT64: "number(19, 0)",
  VARCHAR: "varchar",
  DATE: "date",
  TIMESTAMP: "timestamp_ntz",
  DECIMAL: "number"
}

export const snowflake: Engine = {
  title: "Snowflake",
  usage: "snow sql -f load.sql, after the line of create stage has got your storage integration",
  statements: (plan) => [
    "create schema if not exists cardlake",
    `create stage if not exists cardlake.drop_files url = '${plan.location}/' file_format = (type = parquet use_logical_type = true)`,
    ...plan.tables.flatMap((table) => [
      `create table if not exists cardlake.${table.name} (
${columnLines(table, (column) => `${column.name} ${typeIn(types, column)} comment ${doubled(column.comment)}`)}
)
comment = ${doubled(table.comment)}`,
      ...addColumns(table, (column) => `${typeIn(types, column)} comment ${doubled(column.comment)}`)
    ]),
    "begin transaction",
    ...plan.tables.flatMap((table) => {
      const values = table.columns.map((column) => `$1:${column.name}::${typeIn(types, column)} as ${column.name}`)
      return [
        `delete from cardlake.${table.name} where ${replaced(plan)}`,
        `insert into cardlake.${table.name} (${columnNames(table)})
select ${columnNames(table)} from (
  select ${values.join(",\n    ")}
  from '@cardlake.drop_files/${table.name}/v=${table.version}/' (pattern => '.*[.]parquet')
)
where ${replaced(plan)}`
      ]
    }),
    "commit"
  ]
}
