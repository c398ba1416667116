import { duckdbRows } from "./duckdbRows.ts"
import { type Warehouse, columnNames, comments, definitions, doubled, replaceRows, typesWith } from "./LoadPlan.ts"

const { create, extend } = definitions(typesWith({ VARCHAR: "text", TIMESTAMP: "timestamptz", DECIMAL: "numeric" }))

/** Escapes a text inside double quotes of the shell and single quotes of psql. */
const shellText = (text: string): string => text.replaceAll(/(["\\$`])/g, "\\$1").replaceAll("'", "''")

/**
 * Plain Postgres cannot read Parquet, so its client pipes the rows through `cardlake query`. The rows are not CSV,
 * because psql before 18 treats a line `\\.` in quotes as the end of the data. Commands of psql end with their line.
 */
export const postgres: Warehouse = {
  title: "Postgres",
  usage: "psql -f load.sql, on a machine with cardlake",
  isRemote: false,
  transaction: ["begin", "commit"],
  text: doubled,
  prepare: () => [
    "\\set ON_ERROR_STOP on",
    "\\encoding UTF8",
    "set standard_conforming_strings = on",
    "create schema if not exists cardlake"
  ],
  create: (table) => [
    create(table),
    `create index if not exists ${table.name}_day on cardlake.${table.name} (game_id, snapshot_date)`
  ],
  extend,
  describe: comments,
  fill: (plan, load) =>
    replaceRows(load, doubled, () => {
      const { table } = load
      const rows = shellText(duckdbRows(plan, load).join(" "))
      return [
        `\\copy cardlake.${table.name} (${columnNames(table)}) from program 'npx cardlake query --allow-files --copy "${rows}"'`
      ]
    })
}
