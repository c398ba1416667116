import { Effect } from "effect"
import type { LakeError } from "../../feed/reading/LakeError.ts"
import type { Session } from "../../store/lake/duckdb/Lake.ts"
import { tableName } from "./Drop.ts"
import type { PlacePartition } from "./ExportFormat.ts"
import type { TableFault } from "./exportTables.ts"
import { fileStatistics, type FileStatistics } from "./fileStatistics.ts"
import { displaceDay, type JoinsIn, type PutJoined } from "./putJoined.ts"
import type { LiveFile } from "./readBack.ts"
import type { StagedPartition } from "./stagePartition.ts"

/** The change of a table by one partition. */
export interface TableChange {
  /** The statistics of the placed file; null = the partition has no rows. */
  readonly file: FileStatistics | null
  /** The files that it removes, by their paths below the destination. */
  readonly displaced: ReadonlySet<string>
  /** Replacements of removed files of several days, without the partition's day. */
  readonly rests: ReadonlyArray<PutJoined>
}

/** A table of a format, opened for one partition. A missing table is created. */
export interface OpenedTable<E> {
  /** The files of the partition's day. */
  readonly there: ReadonlyArray<Pick<LiveFile, "fault" | "path">>
  /** The files of several days that may have it. */
  readonly joined: ReadonlyArray<LiveFile>
  readonly commit: (change: TableChange) => Effect.Effect<void, E>
}

/** Returns a function that commits a partition's file to its table. Without rows, it removes the existing file. */
export const placeInTables = <E, F>(
  at: Pick<JoinsIn, "dayFolder" | "format" | "stage" | "to">,
  open: (session: Session, partition: StagedPartition) => Effect.Effect<OpenedTable<F>, E>
): PlacePartition<E | F | LakeError | TableFault> =>
  Effect.fn(`placeIn${at.format}`)(function* (session: Session, partition: StagedPartition) {
    const { dt, file, gameId, isDamaged, rows, sha256, table } = partition
    const { commit, joined, there } = yield* open(session, partition)
    const path = `${tableName(table)}/${at.dayFolder(gameId, dt)}/${sha256}.parquet`
    const found = yield* displaceDay({ ...at, session, table }, joined, partition)
    if (found === null && there.length === 0) return "unchanged"
    const out = found ?? { displaced: [], rests: [] }
    const [own = { path, fault: null }] = there
    const hasOwn = there.length === (rows === 0 ? 0 : 1) && own.path === path
    const isSame = hasOwn && out.displaced.length === 0 && !(isDamaged && own.fault !== null)
    if (isSame && (rows === 0 || !isDamaged)) return "unchanged"
    // The statistics are read before the file leaves the stage.
    const statistics = isSame || rows === 0 ? null : yield* fileStatistics(session, table, file)
    if (rows > 0) yield* at.to.put(path, file)
    if (isSame) return "replaced"
    const displaced = new Set([...there, ...out.displaced].map((one) => one.path))
    yield* commit({ file: statistics, displaced, rests: out.rests })
    if (rows === 0) return "emptied"
    return displaced.size === 0 ? "added" : "replaced"
  })
