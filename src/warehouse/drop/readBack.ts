import { basename } from "node:path"
import { Effect } from "effect"
import { type LakeError } from "../../feed/reading/LakeError.ts"
import { fileSha256, fileSize } from "../../store/home/disk.ts"
import type { Destination } from "../destination/Destination.ts"
import type { ExportTable, TableFault } from "./exportTables.ts"
import type { StagedPartition } from "./stagePartition.ts"

/** A file that currently belongs to a table. */
export interface LiveFile {
  readonly game: string
  /** Null = the file has several days, listed in its footer. */
  readonly dt: string | null
  /** The path below the destination. */
  readonly path: string
  readonly rows: number
  readonly bytes: number
  /** A fault in the table's metadata of the file; then the file need not be read. */
  readonly fault: string | null
}

/** A table as described by its metadata. */
export interface ReadTable {
  readonly live: ReadonlyArray<LiveFile>
  /** Games and days of Cardlake without a file of one day: another program removed them, or they were joined. */
  readonly absent: ReadonlyArray<readonly [game: string, dt: string]>
  /** Returns those of the given files below the destination that some version of the table references. */
  readonly named: (paths: ReadonlyArray<string>) => Effect.Effect<ReadonlyArray<string>, DestinationOrTable>
}
type DestinationOrTable = TableFault | LakeError

/** Reads a table's metadata; null = the table does not exist. */
export type TableReader = (table: ExportTable) => Effect.Effect<ReadTable | null, DestinationOrTable>

/** Returns the hash in the name of a Cardlake file; null = another program wrote it, such as by a merge. */
export const sumInName = (path: string): string | null => /^([0-9a-f]{64})\.parquet$/.exec(basename(path))?.[1] ?? null

/** True if a Cardlake file is outside the folder of its game and day. */
const isElsewhere = ({ dt, game, path }: LiveFile): boolean => {
  const [, inGame, inDay] = /\/(?:game|game_id)=([^/]*)\/(?:dt|snapshot_date)=([^/]*)\/[^/]*$/.exec(path) ?? []
  return sumInName(path) !== null && inGame !== undefined && (inGame !== game || inDay !== dt)
}

/** Returns the fault of a file that a table references; null = none. */
export const fileFault = Effect.fnUntraced(function* (to: Destination, stage: string, file: LiveFile) {
  if (file.fault !== null) return file.fault
  if (isElsewhere(file)) return `its file is in the folder of another game or day: ${file.path}`
  const local = yield* to.fetch(file.path, stage)
  if (local === null) return "its file is missing"
  const size = yield* fileSize(local)
  if (size !== file.bytes) return `its file has ${size} bytes instead of ${file.bytes}`
  const sha256 = sumInName(file.path)
  return sha256 === null || (yield* fileSha256(local)) === sha256 ? null : "its file has a different sha256"
})

/** The facts of a commit about the partition that it writes or removes, under keys of Cardlake. */
export const commitFacts = ({ dt, gameId, isFromHistory, snapshots }: StagedPartition): Record<string, string> => ({
  "cardlake.game": gameId,
  "cardlake.dt": dt,
  "cardlake.snapshots": snapshots.join(","),
  ...(isFromHistory ? { "cardlake.from_history": "true" } : {})
})

/** The facts that a commit recorded about its partition. */
export interface RecordedCommit {
  readonly facts: Readonly<Record<string, unknown>>
  readonly isEmptied: boolean
}

/**
 * Returns games and days that the table's commits, oldest first, wrote last and that have no file any more. They exist
 * unless a person rolled back.
 */
export const findMissingDays = (
  live: ReadonlyArray<LiveFile>,
  commits: Iterable<RecordedCommit>
): ReadTable["absent"] => {
  const there = new Set(live.map(({ dt, game }) => `${dt ?? ""} ${game}`))
  const last = new Map<string, RecordedCommit>()
  for (const commit of commits) {
    const { "cardlake.dt": dt, "cardlake.game": game } = commit.facts
    if (typeof dt === "string" && typeof game === "string") last.set(`${dt} ${game}`, commit)
  }
  return [...last].flatMap(([place, { isEmptied }]) =>
    isEmptied || there.has(place)
      ? []
      : [[place.slice(place.indexOf(" ") + 1), place.slice(0, place.indexOf(" "))] as const]
  )
}
