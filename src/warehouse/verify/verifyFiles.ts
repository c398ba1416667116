import { Effect } from "effect"
import { type Session, sqlText } from "../../store/lake/duckdb/Lake.ts"
import { fileSha256, fileSize } from "../../store/home/disk.ts"
import type { Destination } from "../destination/Destination.ts"
import {
  damaged,
  type DropState,
  namesFile,
  partitionFolder,
  partName,
  manifestFolder,
  type PartitionManifest,
  readManifest,
  stateFile,
  hasTable
} from "../drop/Drop.ts"
import { isOfHistory, nightsName, type ExportTable, exportTables, quoted } from "../drop/exportTables.ts"
import { figureSums } from "../drop/fileStatistics.ts"
import { tellWork } from "../../store/home/WorkProgress.ts"
import type { Belonging } from "../strays.ts"

export interface DropFault {
  /** A partition, a table or a file. */
  readonly partition: string
  readonly what: string
}

/** A partition that the next export must write again. */
export interface Marked {
  readonly gameId: string
  readonly dt: string
  readonly table: string
}

/** A partition of plain files, with its game's state of the day. */
export interface PartitionAt {
  readonly table: ExportTable
  readonly gameId: string
  readonly dt: string
  readonly day: DropState["days"][string]
  readonly stage: string
}

export const partitionPath = ({ dt, gameId, table }: PartitionAt) => partitionFolder(table, gameId, dt)

/** Returns the fault of a manifest by its path and the state; null = none. */
const manifestFault = (at: PartitionAt, manifest: PartitionManifest): string | null => {
  const { day, gameId, table } = at
  const folder = partitionPath(at)
  if (manifestFolder(manifest) !== folder) return `its _manifest.json belongs to ${manifestFolder(manifest)}`
  if (!namesFile(manifest, folder))
    return `its _manifest.json names another file: ${manifest.entries.map(({ url }) => url).join(", ")}`
  const noted = day.sha256?.[table.name]
  if (noted !== undefined && noted !== manifest.sha256)
    return `its _manifest.json names a different file than ${stateFile(gameId)}, from an earlier or later export`
  if (isOfHistory(table)) return null
  const nights = new Set<string>(day.nights.map(({ snapshot }) => snapshot))
  const isOther =
    manifest.snapshots.some((snapshot) => !nights.has(snapshot)) ||
    (table.name === nightsName && manifest.snapshots.length !== nights.size)
  return isOther ? `its _manifest.json has different nights than ${stateFile(gameId)}` : null
}

/** Counts a file's rows, and those with another game, day or night than the manifest; null = it is unreadable. */
const countRows = Effect.fnUntraced(function* (
  session: Session,
  { dt, gameId, table }: PartitionAt,
  file: string,
  snapshots: ReadonlyArray<string>
) {
  const has = (name: string) => table.columns.some((column) => column.name === name)
  const nights = snapshots.length === 0 ? "false" : `snapshot_id in (${snapshots.map(sqlText).join(", ")})`
  const own = [
    ...(has("game_id") ? [`${quoted("game_id")} = ${sqlText(gameId)}`] : []),
    ...(has("snapshot_date") ? [`snapshot_date::varchar = ${sqlText(dt)}`] : []),
    ...(has("snapshot_id") && !isOfHistory(table) ? [nights] : [])
  ]
  const isOwn = own.length === 0 ? "true" : own.join(" and ")
  return yield* session
    .rows(
      `Count ${file}`,
      `select count(*) as n, count(*) filter (where (${isOwn}) is not true) as others
       from read_parquet(${sqlText(file)}, hive_partitioning = false)`
    )
    .pipe(
      Effect.map(([row]) => ({ rows: Number(row?.["n"]), others: Number(row?.["others"]) })),
      Effect.catchTag("LakeError", () => Effect.succeed(null))
    )
})

/** Returns the fault of a file by its manifest; null = none. Compares hash, row count and column sums. */
const fileFault = Effect.fnUntraced(function* (
  session: Session,
  to: Destination,
  at: PartitionAt,
  manifest: PartitionManifest
) {
  const file = yield* to.fetch(`${partitionPath(at)}/${partName}`, at.stage)
  if (file === null) return "its file is missing"
  const size = yield* fileSize(file)
  if (size !== manifest.bytes) return `its file has ${size} bytes instead of ${manifest.bytes}`
  if ((yield* fileSha256(file)) !== manifest.sha256) return "its file has a different sha256"
  const counted = yield* countRows(session, at, file, manifest.snapshots)
  if (counted === null) return "its file cannot be read as Parquet of this table"
  if (counted.rows !== manifest.rows) return `it has ${counted.rows} rows instead of ${manifest.rows}`
  if (counted.others > 0) return `${counted.others} of its rows belong to another game, day or night`
  const sums = yield* figureSums(session, at.table, file)
  const other = Object.keys(manifest.sums).find((name) => sums[name] !== manifest.sums[name])
  return other === undefined ? null : `the sum of ${other} is ${sums[other]} instead of ${manifest.sums[other]}`
})

/** Verifies a partition of plain files: returns its manifest (null if missing) and its fault (null = none). */
export const readPartition = Effect.fnUntraced(function* (session: Session, to: Destination, at: PartitionAt) {
  const manifest = yield* readManifest(to, partitionPath(at))
  if (manifest === null) return { manifest: null, fault: "it has no manifest" }
  if (manifest === damaged) return { manifest: null, fault: "its _manifest.json differs from what Cardlake wrote" }
  const fault = manifestFault(at, manifest) ?? (yield* fileFault(session, to, at, manifest))
  if (fault !== null) return { manifest, fault }
  const isWhole = (yield* to.read(`${partitionPath(at)}/_SUCCESS`)) !== null
  return { manifest, fault: isWhole ? null : "it has no _SUCCESS" }
})

/** Verifies an export of plain files: compares every partition's folder, manifest and state. */
export const verifyFiles = Effect.fnUntraced(function* (session: Session, { drop, stage, states, to }: Belonging) {
  const tables = new Map(exportTables(drop.decimals).map((table) => [table.name, table]))
  const faults: Array<DropFault> = []
  const marked: Array<Marked> = []
  const read = { partitions: 0, rows: 0, bytes: 0 }
  for (const [index, [gameId, state]] of [...states].entries()) {
    const days = Object.entries(state?.days ?? {})
    for (const [at, [dt, day]] of days.entries()) {
      yield* tellWork(gameId, (index + at / days.length) / states.size)
      for (const [name, madeFrom] of Object.entries(day.tables)) {
        const table = tables.get(name)
        if (table === undefined) continue
        // It was written while the home still had the rows, so only its manifest can be checked.
        const isLeftover = !hasTable(madeFrom)
        if (isLeftover && (yield* readManifest(to, partitionFolder(table, gameId, dt))) === null) continue
        const at = { table, gameId, dt, day, stage }
        const { fault, manifest } = yield* readPartition(session, to, at)
        if (fault !== null) {
          const advice = isLeftover ? ". The home no longer has these rows. Restore the folder from a backup" : ""
          faults.push({ partition: partitionPath(at), what: `${fault}${advice}` })
          if (!isLeftover) marked.push({ gameId, dt, table: name })
        }
        read.partitions++
        read.rows += manifest?.rows ?? 0
        read.bytes += manifest?.bytes ?? 0
      }
    }
  }
  return { ...read, faults, marked }
})

export type ReadBack = Effect.Success<ReturnType<typeof verifyFiles>>
