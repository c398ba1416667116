import { stat } from "node:fs/promises"
import { basename } from "node:path"
import { Effect } from "effect"
import { lakeStep, type LakeError } from "../../feed/reading/LakeError.ts"
import { fileSha256 } from "../../store/home/disk.ts"
import type { Destination } from "../destination/Destination.ts"
import type { ExportTable, TableFault } from "./exportTables.ts"
import type { StagedPartition } from "./stagePartition.ts"

/** A file that belongs to a table now. */
export interface LiveFile {
  readonly game: string
  /** Null = it has several days: its footer says which. */
  readonly dt: string | null
  /** Below the destination. */
  readonly path: string
  readonly rows: number
  readonly bytes: number
  /** What its table says is wrong with it, so that it need not be read. */
  readonly fault: string | null
}

/** A table of a format as its own metadata has it. */
export interface ReadTable {
  readonly live: ReadonlyArray<LiveFile>
  /** Games and days that Cardlake put there, and that no file of one day has: another program took them out, or they were joined. */
  readonly lost: ReadonlyArray<readonly [game: string, dt: string]>
  /** Which of these files below the destination some version of the table names. */
  readonly named: (paths: ReadonlyArray<string>) => Effect.Effect<ReadonlyArray<string>, DestinationOrTable>
}
type DestinationOrTable = TableFault | LakeError

/** Reads a table's metadata; null = there is no such table. */
export type TableReader = (table: ExportTable) => Effect.Effect<ReadTable | null, DestinationOrTable>

/** The sum that names a file of ours; null = another program wrote it, for example by merging several. */
export const sumInName = (path: string): string | null => /^([0-9a-f]{64})\.parquet$/.exec(basename(path))?.[1] ?? null

/** A file of ours lies in the folder of its game and day. */
const isElsewhere = ({ dt, game, path }: LiveFile): boolean => {
  const [, inGame, inDay] = /\/(?:game|game_id)=([^/]*)\/(?:dt|snapshot_date)=([^/]*)\/[^/]*$/.exec(path) ?? []
  return sumInName(path) !== null && inGame !== undefined && (inGame !== game || inDay !== dt)
}

/** What is wrong with a file that a table names; null = nothing. */
export const fileFault = Effect.fnUntraced(function* (to: Destination, stage: string, file: LiveFile) {
  if (file.fault !== null) return file.fault
  if (isElsewhere(file)) return `its file is in the folder of another game or day: ${file.path}`
  const local = yield* to.fetch(file.path, stage)
  if (local === null) return "its file is gone"
  const { size } = yield* lakeStep(`Look at ${local}`, () => stat(local))
  if (size !== file.bytes) return `its file has ${size} bytes instead of ${file.bytes}`
  const sha256 = sumInName(file.path)
  return sha256 === null || (yield* fileSha256(local)) === sha256 ? null : "its file has a different sha256"
})

/** Games and days that a table's commits, oldest first, put there last, and that have no file any more. */
export const lostPlaces = (live: ReadonlyArray<LiveFile>, commits: Iterable<ToldCommit>): ReadTable["lost"] => {
  const there = new Set(live.map(({ dt, game }) => `${dt ?? ""} ${game}`))
  return putThere(commits).filter(([game, dt]) => !there.has(`${dt} ${game}`))
}

/** What a commit says of the partition that it puts in place or takes back, under names of our own. */
export const commitFacts = ({ dt, gameId, isFromHistory, snapshots }: StagedPartition): Record<string, string> => ({
  "cardlake.game": gameId,
  "cardlake.dt": dt,
  "cardlake.snapshots": snapshots.join(","),
  ...(isFromHistory ? { "cardlake.from_history": "true" } : {})
})

/** What a commit said of its partition. */
export interface ToldCommit {
  readonly facts: Readonly<Record<string, unknown>>
  readonly isEmptied: boolean
}

/**
 * Days of games that the last commit of each, oldest first, put there. They are there still unless somebody rolled the
 * table back.
 */
export const putThere = (commits: Iterable<ToldCommit>): ReadonlyArray<readonly [game: string, dt: string]> => {
  const last = new Map<string, ToldCommit>()
  for (const commit of commits) {
    const { "cardlake.dt": dt, "cardlake.game": game } = commit.facts
    if (typeof dt === "string" && typeof game === "string") last.set(`${dt} ${game}`, commit)
  }
  return [...last].flatMap(([place, { isEmptied }]) =>
    isEmptied ? [] : [[place.slice(place.indexOf(" ") + 1), place.slice(0, place.indexOf(" "))] as const]
  )
}
