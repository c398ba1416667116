import { dirname } from "node:path"
import { Effect } from "effect"
import { fileSha256 } from "../../store/home/disk.ts"
import type { LakeError } from "../../feed/reading/LakeError.ts"
import { type Session, sqlText } from "../../store/lake/duckdb/Lake.ts"
import type { DropAt } from "./Drop.ts"
import type { ExportTable, TableFault } from "./exportTables.ts"
import { sumInName, type TableReader } from "./readBack.ts"
import type { Fault } from "../../feed/contract/Fault.ts"

/** Removes the files that a killed export left of a table's day. */
export type SweepDay = (
  table: ExportTable,
  gameId: string,
  dt: string
) => Effect.Effect<void, LakeError | Fault<"OtherCatalogue"> | TableFault>

/** Returns the folders for the rows of a game's day: the day's, and the game's for files of several days. */
export const foldersOfDay = (dayFolder: string): ReadonlyArray<string> => [dayFolder, dirname(dayFolder)]

/** True if a path has the name and folder of a file that Cardlake may write into one of these folders. */
export const isPlanned = (folders: ReadonlySet<string>, path: string): boolean =>
  sumInName(path) !== null && folders.has(dirname(path))

/** True if Cardlake wrote a file for its place: its name is its hash, and its footer names table, game and day. */
const isOurs = Effect.fnUntraced(function* (session: Session, file: string, path: string, { name }: ExportTable) {
  if ((yield* fileSha256(file)) !== sumInName(path)) return false
  const footer = `select decode(key) as key, decode(value) as value from parquet_kv_metadata(${sqlText(file)})`
  // An unreadable file belongs to another program.
  const facts = yield* Effect.orElseSucceed(session.rows(`Read ${path}`, footer), () => [])
  const recorded = new Map(facts.map(({ key, value }) => [key, String(value)]))
  const [, game, dt] = /\/(?:game|game_id)=([^/]*)\/(?:(?:dt|snapshot_date)=([^/]*)\/)?[^/]*$/.exec(path) ?? []
  const place = ["table", "game", "dt"].map((fact) => recorded.get(`cardlake.${fact}`))
  return place.join("/") === [name, game, dt].join("/")
})

/** Folders of a table that may contain unreferenced files. */
interface Leftovers {
  readonly folders: ReadonlyArray<string>
  readonly readTable: TableReader
  readonly table: ExportTable
}

/**
 * Removes Cardlake's files from folders recorded before the first write, if no version of the table references them.
 * Call it after a commit to the table: then any concurrent writer of these folders has failed.
 */
export const sweepLeftovers = Effect.fn("sweepLeftovers")(function* (
  { session, stage, to }: Omit<DropAt, "drop">,
  { folders, readTable, table }: Leftovers
) {
  const planned = new Set(folders)
  const listed = yield* Effect.forEach(planned, to.list)
  const there = [...new Set(listed.flat())].filter((path) => isPlanned(planned, path))
  if (there.length === 0) return
  const named = yield* readTable(table).pipe(
    Effect.flatMap((read) => read?.named(there) ?? Effect.succeed([])),
    // If the table is unreadable, its references are unknown, so no file is removed.
    Effect.catchTag("TableUnfit", () => Effect.succeed(there))
  )
  for (const path of there.filter((one) => !named.includes(one))) {
    const file = yield* to.fetch(path, stage)
    if (file !== null && (yield* isOurs(session, file, path, table))) yield* to.remove(path)
  }
})
