import { join, dirname } from "node:path"
import { recordOfFile, fileSha256, makeFolder } from "../../store/home/disk.ts"
import { Effect, Option, Schema } from "effect"
import { type Session, sqlText } from "../../store/lake/duckdb/Lake.ts"
import { type ExportTable, tableUnfit, quoted } from "./exportTables.ts"
import { duckdbType, parquetOptions, type StagedPartition } from "./stagePartition.ts"
import { shellWord } from "../../feed/contract/shellWord.ts"
import { type DropAt, tableName } from "./Drop.ts"
import { fileStatistics, type FileStatistics } from "./fileStatistics.ts"
import { sumInName, type LiveFile } from "./readBack.ts"

const JoinedDay = Schema.Struct({
  dt: Schema.String,
  /** The hash of its original file, as in the export's state; null = another program wrote that file. */
  sha256: Schema.NullOr(Schema.String),
  rows: Schema.Int
})
export type JoinedDay = typeof JoinedDay.Type

const Days = Schema.fromJsonString(Schema.Array(JoinedDay))
/** The footer key for the list of days in a file of several days. */
export const daysKey = "cardlake.days"
export const daysText = Schema.encodeEffect(Days)

/** Reads the days of a file from its footer, or counts them if another program wrote it. */
export const joinedDays = Effect.fnUntraced(function* (session: Session, file: string) {
  const [row] = yield* session.rows(
    `Read the days of ${file}`,
    `select decode(value) as days from parquet_kv_metadata(${sqlText(file)}) where decode(key) = ${sqlText(daysKey)}`
  )
  const known = Schema.decodeUnknownOption(Days)(row?.["days"])
  if (Option.isSome(known)) return known.value
  const counted = yield* session.rows(
    `Count the days of ${file}`,
    `select snapshot_date::varchar as dt, count(*) as n from read_parquet(${sqlText(file)}, hive_partitioning = false)
     group by all order by all`
  )
  return counted.map(({ dt, n }): JoinedDay => ({ dt: String(dt), sha256: null, rows: Number(n) }))
})

/** SQL of the rows in files; older ones may lack columns. */
const selectRows = ({ columns }: ExportTable, files: ReadonlyArray<string>, without: string | null): string => {
  const none = columns.map((column) => `null::${duckdbType(column)} as ${quoted(column.name)}`)
  const kept = without === null ? "" : ` where snapshot_date::varchar <> ${sqlText(without)}`
  return `from (select ${none.join(", ")} where false union all by name
    from read_parquet([${files.map(sqlText).join(", ")}], hive_partitioning = false, union_by_name = true))${kept}`
}

/** SQL of the row count and checksum of each day, independent of the order of rows. */
const account = ({ columns }: ExportTable, rows: string): string =>
  `select snapshot_date::varchar as dt, count(*)::varchar as n,
     sum(hash(${columns.map(({ name }) => quoted(name)).join(", ")})::hugeint)::varchar as hashes
   ${rows} group by all order by all`

/** Returns the compression of most files, so that the setting of the export is kept. */
const readCompression = Effect.fnUntraced(function* (session: Session, files: ReadonlyArray<string>) {
  const [found] = yield* session.rows(
    "Read the compression",
    `select mode(compression) as name from parquet_metadata([${files.map(sqlText).join(", ")}])`
  )
  return found?.["name"] === "ZSTD" ? "zstd" : "snappy"
})

/** Joins a game's local files in the stage, sorted by day and as before. Fails unless every day has the same rows. */
const joinDays = Effect.fn("joinDays")(function* (
  { format, session, stage, table }: JoinsIn,
  gameId: string,
  files: ReadonlyArray<string>,
  days: ReadonlyArray<JoinedDay>,
  without: string | null
) {
  const left = days.filter(({ dt }) => dt !== without)
  const file = join(stage, `${table.name}-joined.parquet`)
  const rows = selectRows(table, files, without)
  const about = { game: gameId, [daysKey.replace("cardlake.", "")]: yield* Effect.orDie(daysText(left)) }
  const compression = yield* readCompression(session, files)
  const order = ["snapshot_date", ...table.key.filter((name) => name !== "game_id" && name !== "snapshot_date")]
  yield* session.run(
    `Join files of ${table.name} of ${gameId}`,
    `copy (${rows} order by ${order.map(quoted).join(", ")}) to ${sqlText(file)}
     ${parquetOptions(table, { compression, decimals: "exact", inOrder: false }, about)}`
  )
  const before = yield* session.rows(`Count ${table.name} of ${gameId}`, account(table, rows))
  const after = yield* session.rows(`Count ${file}`, account(table, selectRows(table, [file], null)))
  const wanted = left.toSorted((a, b) => (a.dt < b.dt ? -1 : 1)).map(({ dt, rows: n }) => `${dt} ${n}`)
  const isWhole = after.map(({ dt, n }) => `${String(dt)} ${String(n)}`).join() === wanted.join()
  if (!isWhole || JSON.stringify(before) !== JSON.stringify(after)) {
    const what = `has files of ${gameId} whose rows differ from its records, so they were not compacted`
    return yield* tableUnfit(format, table.name, `${what}. List them with --verify, then export again`)
  }
  const { sha256, sizeBytes: bytes } = yield* recordOfFile(file)
  return { file, days: left, rows: left.reduce((sum, day) => sum + day.rows, 0), bytes, sha256 }
})

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
  const { dayFolder, session, table, to } = joins
  const [{ game: gameId } = { game: "" }] = sources
  const files = yield* Effect.forEach(sources, (source, at) => openLive(joins, source, at))
  const found = yield* Effect.forEach(sources, (source, at) => readDays(session, source, files[at] ?? ""))
  const days = together(found.flat())
  if (days.every(({ dt }) => dt === without)) return null
  const { bytes, file, rows, sha256 } = yield* joinDays(joins, gameId, files, days, without)
  const statistics = yield* fileStatistics(session, table, file)
  const path = `${dirname(dayFolder(gameId, "day"))}/${sha256}.parquet`
  yield* to.put(`${tableName(table)}/${path}`, file)
  return { game: gameId, path, rows, bytes, ...statistics } satisfies PutJoined
})

/**
 * Removes a day from files of several days that may have it; `rests` are their replacements. Null = one of the files
 * already has exactly these rows. A damaged file is removed completely if `--verify` found it: all its days are marked,
 * and this export writes them again.
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
  if (displaced.length === 0 && rows > 0 && sums.length === 1 && sums[0] === sha256) return null
  const rests = yield* Effect.forEach(holders, (file) => putJoined(joins, [file], dt))
  return { displaced: [...displaced, ...holders], rests: rests.filter((rest) => rest !== null) }
})
