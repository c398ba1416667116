import {
  addColumns,
  columnLines,
  columnNames,
  comments,
  replaced,
  typeIn,
  type Engine,
  type TypeNames
} from "./LoadPlan.ts"
import { duckdbRows } from "./duckdbRows.ts"

const types: TypeNames = {
  BOOLEAN: "boolean",
  INT32: "integer",
  INT64: "bigint",
  VARCHAR: "text",
  DATE: "date",
  TIMESTAMP: "timestamptz",
  DECIMAL: "numeric"
}

/** Within a shell's double quotes, within psql's single ones. */
const shellText = (text: string): string => text.replaceAll(/(["\\$`])/g, "\\$1").replaceAll("'", "''")

/** psql's own commands end with their line. */
const oneLine = (sql: string): string => sql.replaceAll(/\n\s*/g, " ")

/**
 * Plain Postgres cannot read Parquet, so its client pipes the rows through `cardlake query`, which keeps '' and null
 * apart.
 */
export const postgres: Engine = {
  title: "Postgres",
  usage: "psql -v ON_ERROR_STOP=1 -f load.sql, where cardlake is installed",
  statements: (plan) => [
    "create schema if not exists cardlake",
    ...plan.tables.flatMap((table) => [
      `create table if not exists cardlake.${table.name} (\n${columnLines(table, (column) => `${column.name} ${typeIn(types, column)}`)}\n)`,
      `create index if not exists ${table.name}_day on cardlake.${table.name} (game_id, snapshot_date)`,
      ...addColumns(table, (column) => typeIn(types, column)),
      ...comments(table)
    ]),
    "begin",
    ...plan.tables.flatMap((table) => [
      `delete from cardlake.${table.name} where ${replaced(plan)}`,
      `\\copy cardlake.${table.name} (${columnNames(table)}) from program 'npx cardlake query --allow-files --csv "${shellText(oneLine(duckdbRows(plan, table)))}"' with (format csv, header)`
    ]),
    "commit"
  ]
}
