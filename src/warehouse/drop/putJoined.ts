import { dirname, join } from "node:path"
import { Effect } from "effect"
import { shellWord } from "../../feed/contract/shellWord.ts"
import { fileSha256, makeFolder } from "../../store/home/disk.ts"
import type { Session } from "../../store/lake/duckdb/Lake.ts"
import { type DropAt, tableName } from "./Drop.ts"
import { type ExportTable, tableUnfit } from "./exportTables.ts"
import { fileStatistics, type FileStatistics } from "./fileStatistics.ts"
import { joinedDays, type JoinedDay, joinDays } from "./joinDays.ts"
import { sumInName, type LiveFile } from "./readBack.ts"
import type { StagedPartition } from "./stagePartition.ts"

/** The table of files of several days. */
export interface JoinsIn extends Omit<DropAt, "drop"> {
  /** The format's name in messages. */
  readonly format: string
  readonly table: ExportTable
  readonly dayFolder: (gameId: string, dt: string) => string
}

/** A placed file of several days. */
export interface PutJoined extends FileStatistics {
  readonly game: string
  /** The path below the table. */
  readonly path: string
  readonly rows: number
  readonly bytes: number
}

/** Opens a file that a table names as a local file, and checks that its content matches its name. */
export const openLive = Effect.fnUntraced(function* (
  { format, stage, table, to }: JoinsIn,
  file: LiveFile,
  at: number
) {
  const folder = join(stage, `source-${at}`)
  yield* makeFolder(folder)
  const local = file.fault === null ? yield* to.fetch(file.path, folder) : null
  const wanted = sumInName(file.path)
  if (local !== null && (wanted === null || (yield* fileSha256(local)) === wanted)) return local
  const what = `has a file that cannot be compacted, because ${file.fault ?? "it is damaged or missing"}: ${to.root}/${file.path}`
  const next = `The next export rewrites its days after: cardlake export --to ${shellWord(to.address)} --verify`
  return yield* tableUnfit(format, tableName(table), `${what}. ${next}`)
})

/** Returns the days of a table's file. */
export const readDays = (session: Session, { dt, path, rows }: LiveFile, local: string) =>
  dt === null
    ? joinedDays(session, local)
    : Effect.succeed<ReadonlyArray<JoinedDay>>([{ dt, sha256: sumInName(path), rows }])

/** Merges the days of several files; a day in two of them has no hash. */
const together = (all: ReadonlyArray<JoinedDay>): ReadonlyArray<JoinedDay> => {
  const days = new Map<string, JoinedDay>()
  for (const day of all) {
    const before = days.get(day.dt)
    days.set(day.dt, before === undefined ? day : { dt: day.dt, sha256: null, rows: before.rows + day.rows })
  }
  return [...days.values()].toSorted((a, b) => (a.dt < b.dt ? -1 : 1))
}

/** Joins the days of several files of a game into one file and places it; null = no rows remain. */
export const putJoined = Effect.fnUntraced(function* (
  joins: JoinsIn,
  sources: ReadonlyArray<LiveFile>,
  without: string | null
) {
  const { dayFolder, format, session, stage, table, to } = joins
  const [{ game: gameId } = { game: "" }] = sources
  const files = yield* Effect.forEach(sources, (source, at) => openLive(joins, source, at))
  const found = yield* Effect.forEach(sources, (source, at) => readDays(session, source, files[at] ?? ""))
  const days = together(found.flat())
  if (days.every(({ dt }) => dt === without)) return null
  const { bytes, file, rows, sha256 } = yield* joinDays(session, stage, { format, table, gameId, files, days, without })
  const statistics = yield* fileStatistics(session, table, file)
  const path = `${dirname(dayFolder(gameId, "day"))}/${sha256}.parquet`
  yield* to.put(`${tableName(table)}/${path}`, file)
  return { game: gameId, path, rows, bytes, ...statistics } satisfies PutJoined
})

/** The effect of a day's rows on files of several days. */
export interface Displaced {
  /** True if one of the files already has exactly these rows. */
  readonly isThere: boolean
  readonly displaced: ReadonlyArray<LiveFile>
  /** Replacements of the removed files, without the day. */
  readonly rests: ReadonlyArray<PutJoined>
}

/**
 * Removes a day from files of several days that may have it. A damaged file is removed completely if `--verify` found
 * it: all its days are marked, and this export writes them again.
 */
export const displaceDay = Effect.fnUntraced(function* (
  joins: JoinsIn,
  candidates: ReadonlyArray<LiveFile>,
  { dt, isDamaged, rows, sha256 }: StagedPartition
) {
  const displaced: Array<LiveFile> = []
  const holders: Array<LiveFile> = []
  const sums: Array<string | null> = []
  for (const file of candidates) {
    const local = yield* openLive(joins, file, 0).pipe(
      Effect.catchTag("TableUnfit", (fault) => (isDamaged ? Effect.succeed(null) : Effect.fail(fault)))
    )
    if (local === null) {
      displaced.push(file)
      continue
    }
    const day = (yield* readDays(joins.session, file, local)).find((one) => one.dt === dt)
    if (day === undefined) continue
    holders.push(file)
    sums.push(day.sha256)
  }
  if (displaced.length === 0 && rows > 0 && sums.length === 1 && sums[0] === sha256)
    return { isThere: true, displaced: [], rests: [] } satisfies Displaced
  const rests = yield* Effect.forEach(holders, (file) => putJoined(joins, [file], dt))
  return {
    isThere: false,
    displaced: [...displaced, ...holders],
    rests: rests.filter((rest) => rest !== null)
  } satisfies Displaced
})
