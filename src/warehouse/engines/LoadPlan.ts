import type { ExportTable } from "../drop/exportTables.ts"

/** What a warehouse has to know of a table. */
export type WarehouseTable = Pick<ExportTable, "columns" | "comment" | "name" | "version">

/** A partition as its manifest describes it. */
export interface LoadedFile {
  readonly game: string
  readonly dt: string
  readonly rows: number
  readonly bytes: number
  readonly sha256: string
}

/** Days of some games; null = no bound. */
export interface Stretch {
  readonly games: ReadonlyArray<string>
  readonly first: string | null
  readonly last: string | null
}

/** What a script does to a table. */
export interface TableLoad {
  readonly table: WarehouseTable
  /** Which rows of the warehouse are replaced, and removed if the drop has none; none = nothing is done. */
  readonly stretches: ReadonlyArray<Stretch>
  /** The partitions there, by game, then day. */
  readonly files: ReadonlyArray<LoadedFile>
}

/** What a load script is written for. */
export interface LoadPlan {
  /** Where the drop is, without a slash at the end. */
  readonly location: string
  /** Every table of the drop. */
  readonly loads: ReadonlyArray<TableLoad>
}

/** Stretches of the same days as one of several games. */
export const joined = (stretches: ReadonlyArray<Stretch>): ReadonlyArray<Stretch> => {
  const byDays = Map.groupBy(stretches, ({ first, last }) => `${first} ${last}`)
  return [...byDays.values()].flatMap(([one, ...others]) =>
    one === undefined ? [] : [{ ...one, games: [...one.games, ...others.flatMap(({ games }) => games)] }]
  )
}

const dayMillis = 24 * 3600 * 1000

/** Exactly the days of these files: each stretch has a file for every day of the calendar. */
export const daysOf = (files: ReadonlyArray<LoadedFile>): ReadonlyArray<Stretch> => {
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

/** The same files for engines that select them by game and day in a path. */
export const piecesOf = (files: ReadonlyArray<LoadedFile>): ReadonlyArray<Piece> => {
  const byGame = Map.groupBy(files, ({ game }) => game)
  const games = [...byGame].map(([game, own]) => ({ game, days: own.map(({ dt }) => dt) }))
  return [...Map.groupBy(games, ({ days }) => days.join()).values()].map((same) => ({
    games: same.map(({ game }) => game),
    days: same[0]?.days ?? []
  }))
}

/** Files that have rows: the others need no reading. */
export const filled = ({ files }: TableLoad): ReadonlyArray<LoadedFile> => files.filter(({ rows }) => rows > 0)

/** The folder above a table's files. */
export const folderOf = ({ location }: LoadPlan, { name, version }: WarehouseTable): string =>
  `${location}/${name}/v=${version}`
