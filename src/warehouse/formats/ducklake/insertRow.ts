import type { DatabaseSync, SQLInputValue } from "node:sqlite"

/** Puts a row into a table; a column that is not named is null. */
export const insertRow = (
  database: DatabaseSync,
  table: string,
  row: Readonly<Record<string, SQLInputValue>>
): void => {
  const names = Object.keys(row)
  const values = names.map((name) => `:${name}`)
  database.prepare(`insert into ${table} (${names.join(", ")}) values (${values.join(", ")})`).run({ ...row })
}
