import type { ExportColumn } from "../drop/exportTables.ts"
import type { Stretch, TableLoad, WarehouseTable } from "./LoadPlan.ts"
import type { TypeNames } from "./Warehouse.ts"

/** A warehouse's type of a column. */
export const typeIn = (names: TypeNames, { type }: ExportColumn): string => {
  const [, digits = ""] = /^DECIMAL(\(.+\))$/.exec(type) ?? []
  return digits === "" ? names[type as keyof TypeNames] : names.DECIMAL + digits
}

/** A text for standard SQL. */
export const doubled = (text: string): string => `'${text.replaceAll("'", "''")}'`
/** A text for BigQuery, Spark and Hive, where two apostrophes would end it and begin another. */
export const escaped = (text: string): string => `'${text.replaceAll("\\", "\\\\").replaceAll("'", "\\'")}'`
/** A text where two apostrophes are one, and a backslash begins an escape. */
export const doubledBoth = (text: string): string => doubled(text.replaceAll("\\", "\\\\"))

/** A list of columns, one per line. */
export const columnLines = (
  { columns }: WarehouseTable,
  line: (column: ExportColumn) => string,
  more: ReadonlyArray<string> = []
): string => [...columns.map(line), ...more].map((text) => `  ${text}`).join(",\n")

export const columnNames = ({ columns }: WarehouseTable): string => columns.map(({ name }) => name).join(", ")

/** The template of most: adds a column unless it is there. */
export const addColumn = ({ name }: WarehouseTable, column: ExportColumn, typed: string): string =>
  `alter table cardlake.${name} add column if not exists ${column.name} ${typed}`

/** `comment on` statements of a table and its columns. */
export const comments = (table: WarehouseTable): ReadonlyArray<string> => [
  `comment on table cardlake.${table.name} is ${doubled(table.comment)}`,
  ...table.columns.map(({ comment, name }) => `comment on column cardlake.${table.name}.${name} is ${doubled(comment)}`)
]

const ofDays = ({ first, last }: Stretch, day: string): string | null => {
  if (first === null) return last === null ? null : `${day} <= date '${last}'`
  if (last === null) return `${day} >= date '${first}'`
  return first === last ? `${day} = date '${first}'` : `${day} between date '${first}' and date '${last}'`
}

/** Whether a row is of these games and days. */
export const within = (
  stretches: ReadonlyArray<Stretch>,
  text: (text: string) => string,
  [game, day]: readonly [game: string, day: string] = ["game_id", "snapshot_date"]
): string => {
  const parts = stretches.map((stretch) => {
    const games = `${game} in (${stretch.games.map(text).join(", ")})`
    const days = ofDays(stretch, day)
    return days === null ? games : `${games} and ${days}`
  })
  return parts.length === 1 ? parts.join("") : parts.map((part) => `(${part})`).join(" or ")
}

/** Removes the rows that a load replaces. */
export const removeRows = ({ stretches, table }: TableLoad, text: (text: string) => string): string =>
  `delete from cardlake.${table.name} where ${within(stretches, text)}`
