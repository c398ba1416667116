import type { ExportTable, ExportColumn } from "../drop/exportTables.ts"
import { partName } from "../drop/Drop.ts"

/** The description of a table that a warehouse needs. */
export type WarehouseTable = Pick<ExportTable, "columns" | "comment" | "name" | "version">

export interface LoadedFile {
  readonly game: string
  readonly dt: string
  readonly rows: number
  readonly bytes: number
  readonly sha256: string
}

/** A range of days of some games; null = no bound. */
export interface Stretch {
  readonly games: ReadonlyArray<string>
  readonly first: string | null
  readonly last: string | null
}

/** The effect of a script on a table. */
export interface TableLoad {
  readonly table: WarehouseTable
  /** The rows to replace in the warehouse, or to remove if the export has none; empty = no change. */
  readonly stretches: ReadonlyArray<Stretch>
  /** The partitions in these stretches, sorted by game and day. */
  readonly files: ReadonlyArray<LoadedFile>
}

export interface LoadPlan {
  /** The export's address without a trailing slash. */
  readonly location: string
  /** Every table of the export. */
  readonly loads: ReadonlyArray<TableLoad>
}

/** Merges stretches of several games that have the same days. */
export const joined = (stretches: ReadonlyArray<Stretch>): ReadonlyArray<Stretch> => {
  const byDays = Map.groupBy(stretches, ({ first, last }) => `${first} ${last}`)
  return [...byDays.values()].flatMap(([one, ...others]) =>
    one === undefined ? [] : [{ ...one, games: [...one.games, ...others.flatMap(({ games }) => games)] }]
  )
}

const dayMillis = 24 * 3600 * 1000

/** Returns stretches with exactly the days of these files, which cover every calendar day of a stretch. */
export const groupDays = (files: ReadonlyArray<LoadedFile>): ReadonlyArray<Stretch> => {
  const stretches: Array<Stretch> = []
  for (const { dt, game } of files) {
    const before = stretches.at(-1)
    const isNext = before?.games[0] === game && Date.parse(dt) - Date.parse(before.last ?? "") === dayMillis
    if (isNext) stretches[stretches.length - 1] = { ...before, last: dt }
    else stretches.push({ games: [game], first: dt, last: dt })
  }
  return joined(stretches)
}

/** Games with the same days. */
export interface Piece {
  readonly games: ReadonlyArray<string>
  readonly days: ReadonlyArray<string>
}

/** Groups files for engines that select them by game and day in a path. */
export const groupFiles = (files: ReadonlyArray<LoadedFile>): ReadonlyArray<Piece> => {
  const byGame = Map.groupBy(files, ({ game }) => game)
  const games = [...byGame].map(([game, own]) => ({ game, days: own.map(({ dt }) => dt) }))
  return [...Map.groupBy(games, ({ days }) => days.join()).values()].map((same) => ({
    games: same.map(({ game }) => game),
    days: same[0]?.days ?? []
  }))
}

/** Returns the files that have rows. */
export const filled = ({ files }: TableLoad): ReadonlyArray<LoadedFile> => files.filter(({ rows }) => rows > 0)

export const tableAddress = ({ location }: LoadPlan, { name, version }: WarehouseTable): string =>
  `${location}/${name}/v=${version}`

/** A warehouse's type names by those of an export; a decimal keeps its precision. */
type TypeNames = Readonly<Record<"BOOLEAN" | "INT32" | "INT64" | "VARCHAR" | "DATE" | "TIMESTAMP" | "DECIMAL", string>>

const commonTypes: TypeNames = {
  BOOLEAN: "boolean",
  INT32: "integer",
  INT64: "bigint",
  VARCHAR: "varchar",
  DATE: "date",
  TIMESTAMP: "timestamp",
  DECIMAL: "decimal"
}

/** A kind of warehouse: its properties, and templates of its statements. */
export interface Warehouse {
  readonly title: string
  readonly usage: string
  /** True for a service that cannot read local folders. */
  readonly isRemote: boolean
  /** The statements around a transaction over all tables; null = it has none. */
  readonly transaction: readonly [begin: string, commit: string] | null
  /** The maximum length of a script in bytes. */
  readonly maxScriptLength?: number
  /** Quotes a text as a literal. */
  readonly text: (text: string) => string
  /** Returns the statements before the tables. */
  readonly prepare: (plan: LoadPlan) => ReadonlyArray<string>
  readonly create: (table: WarehouseTable, plan: LoadPlan) => ReadonlyArray<string>
  /** Adds a column to a table of an earlier contract version. */
  readonly extend?: (table: WarehouseTable, column: ExportColumn) => string
  /** Sets comments, if they need separate statements. */
  readonly describe?: (table: WarehouseTable) => ReadonlyArray<string>
  /** Connects a table with the export's files. */
  readonly attach?: (plan: LoadPlan, load: TableLoad) => ReadonlyArray<string>
  /** Replaces a table's rows. Absent = queries read the export's files, and nothing is loaded. */
  readonly fill?: (plan: LoadPlan, load: TableLoad) => ReadonlyArray<string>
}

/** Returns the function that names a column's type, with what differs from the common names. */
export const typesWith = (others: Partial<TypeNames>) => {
  const names = { ...commonTypes, ...others }
  return ({ type }: ExportColumn): string => {
    const [, digits = ""] = /^DECIMAL(\(.+\))$/.exec(type) ?? []
    return digits === "" ? names[type as keyof TypeNames] : names.DECIMAL + digits
  }
}

export const doubled = (text: string): string => `'${text.replaceAll("'", "''")}'`
/** Quotes a text for BigQuery, Spark and Hive, where two apostrophes do not escape one. */
export const escaped = (text: string): string => `'${text.replaceAll("\\", "\\\\").replaceAll("'", "\\'")}'`
/** Quotes a text where two apostrophes escape one, and a backslash begins an escape. */
export const doubledBoth = (text: string): string => doubled(text.replaceAll("\\", "\\\\"))

/** The column definitions of a warehouse, and the most common statements with them. `about` follows a type. */
export const definitions = (
  typed: (column: ExportColumn) => string,
  about: (column: ExportColumn) => string = () => ""
) => {
  const define = (column: ExportColumn) => `${column.name} ${typed(column)}${about(column)}`
  /** A list of columns in brackets, one per line. */
  const list = ({ columns }: WarehouseTable, more: ReadonlyArray<string> = []) =>
    `(\n${[...columns.map(define), ...more].map((text) => `  ${text}`).join(",\n")}\n)`
  return {
    list,
    create: (table: WarehouseTable, options = "") =>
      `create table if not exists cardlake.${table.name} ${list(table)}${options}`,
    extend: (table: WarehouseTable, column: ExportColumn) =>
      `alter table cardlake.${table.name} add column if not exists ${define(column)}`
  }
}

/** Describes a column in a clause of its own. */
export const commented =
  (text: Warehouse["text"]) =>
  ({ comment }: ExportColumn) =>
    ` comment ${text(comment)}`

export const columnNames = ({ columns }: WarehouseTable): string => columns.map(({ name }) => name).join(", ")

export const comments = (table: WarehouseTable): ReadonlyArray<string> => [
  `comment on table cardlake.${table.name} is ${doubled(table.comment)}`,
  ...table.columns.map(({ comment, name }) => `comment on column cardlake.${table.name}.${name} is ${doubled(comment)}`)
]

const ofDays = ({ first, last }: Stretch, day: string): string | null => {
  if (first === null) return last === null ? null : `${day} <= date '${last}'`
  if (last === null) return `${day} >= date '${first}'`
  return first === last ? `${day} = date '${first}'` : `${day} between date '${first}' and date '${last}'`
}

/** A condition for rows of these games and days. */
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

/** A condition for the rows of a load's files. */
export const withinFiles = (
  load: TableLoad,
  text: (text: string) => string,
  names?: readonly [game: string, day: string]
): string => within(groupDays(filled(load)), text, names)

/** Removes the rows that a load replaces. */
export const removeRows = ({ stretches, table }: TableLoad, text: (text: string) => string): string =>
  `delete from cardlake.${table.name} where ${within(stretches, text)}`

/** Removes the rows that a load replaces, then adds those of its files. */
export const replaceRows = (
  load: TableLoad,
  text: (text: string) => string,
  add: () => ReadonlyArray<string>
): ReadonlyArray<string> => [removeRows(load, text), ...(filled(load).length === 0 ? [] : add())]

/** A pattern of these texts; `?` replaces each character with a special meaning. */
const matchAny = (texts: ReadonlyArray<string>): string => {
  const names = texts.map((text) => text.replaceAll(/[^\w.-]/g, "?"))
  return names.length === 1 ? names.join("") : `{${names.join(",")}}`
}

/** Patterns of addresses that match exactly the files of a load. */
export const globs = (plan: LoadPlan, load: TableLoad): ReadonlyArray<string> =>
  groupFiles(filled(load)).map(
    ({ days, games }) => `${tableAddress(plan, load.table)}/game=${matchAny(games)}/dt=${matchAny(days)}/${partName}`
  )
