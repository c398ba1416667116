import type { DropColumn, DropTable } from "../drop/dropTables.ts"

/** What a load script is written for. */
export interface LoadPlan {
  /** Where the drop is, without a slash at the end. */
  readonly location: string
  readonly tables: ReadonlyArray<DropTable>
  /** Also `_all`, if the drop has rows that belong to no game. */
  readonly games: ReadonlyArray<string>
  /** Days from here on are loaded again; null = all. */
  readonly since: string | null
  /** Partitions that the drop has from there on, for engines that need a list. */
  readonly partitions: ReadonlyArray<{ readonly table: string; readonly game: string; readonly dt: string }>
}

/** A warehouse, and the script that makes its tables and loads a drop into them. */
export interface Engine {
  readonly title: string
  /** How the script is run. */
  readonly usage: string
  readonly statements: (plan: LoadPlan) => ReadonlyArray<string>
}

/** Names of an engine's types, by those of a drop; a decimal keeps its digits. */
export type TypeNames = Readonly<
  Record<"BOOLEAN" | "INT32" | "INT64" | "VARCHAR" | "DATE" | "TIMESTAMP" | "DECIMAL", string>
>

/** An engine's type of a column. */
export const typeIn = (names: TypeNames, { type }: DropColumn): string => {
  const [, digits = ""] = /^DECIMAL(\(.+\))$/.exec(type) ?? []
  return digits === "" ? names[type as keyof TypeNames] : names.DECIMAL + digits
}

/** A text for standard SQL. */
export const doubled = (text: string): string => `'${text.replaceAll("'", "''")}'`
/** A text for BigQuery, Spark and Hive, where two apostrophes would end it and begin another. */
export const escaped = (text: string): string => `'${text.replaceAll("\\", "\\\\").replaceAll("'", "\\'")}'`

/** A list of columns, one per line. */
export const columnLines = (
  { columns }: DropTable,
  line: (column: DropColumn) => string,
  more: ReadonlyArray<string> = []
): string => [...columns.map(line), ...more].map((text) => `  ${text}`).join(",\n")

export const columnNames = ({ columns }: DropTable): string => columns.map(({ name }) => name).join(", ")

/** Columns that a table of an earlier contract version lacks. */
export const addedColumns = ({ columns }: DropTable): ReadonlyArray<DropColumn> =>
  columns.filter(({ since }) => since > 1)

/** Statements that add them to an older table. */
export const addColumns = (table: DropTable, typed: (column: DropColumn) => string): ReadonlyArray<string> =>
  addedColumns(table).map(
    (column) => `alter table cardlake.${table.name} add column if not exists ${column.name} ${typed(column)}`
  )

/** Which rows a load replaces: those of the drop's games from its first day on, including what was taken back. */
export const replaced = ({ games, since }: LoadPlan, day = "snapshot_date"): string => {
  const ofGames = `game_id in (${games.map(doubled).join(", ")})`
  return since === null ? ofGames : `${ofGames} and ${day} >= date '${since}'`
}

/** `comment on` statements of a table and its columns. */
export const comments = (table: DropTable): ReadonlyArray<string> => [
  `comment on table cardlake.${table.name} is ${doubled(table.comment)}`,
  ...table.columns.map(({ comment, name }) => `comment on column cardlake.${table.name}.${name} is ${doubled(comment)}`)
]

/** The folder above a table's files. */
export const filesOf = ({ location }: LoadPlan, { name, version }: DropTable): string =>
  `${location}/${name}/v=${version}`
