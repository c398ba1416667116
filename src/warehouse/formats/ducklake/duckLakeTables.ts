import { Clock, Effect } from "effect"
import type { Session } from "../../../store/lake/duckdb/Lake.ts"
import type { Destination } from "../../destination/Destination.ts"
import { displaceDay, type PutJoined } from "../../drop/putJoined.ts"
import { partitionPath, tableName } from "../../drop/Drop.ts"
import { fileStatistics } from "../../drop/fileStatistics.ts"
import type { StagedPartition } from "../../drop/stagePartition.ts"
import { type Change, commitChanges } from "./commitChanges.ts"
import { instantText } from "./duckDbText.ts"
import { catalogueFile, catalogueStep, openCatalogue, usableTable } from "./openCatalogue.ts"
import { datedFile, joinedFiles, liveFiles } from "./tableRows.ts"
import { dayFolder } from "../../drop/days.ts"
import type { ExportTable } from "../../drop/exportTables.ts"
import { lakeStep } from "../../../feed/reading/LakeError.ts"
import type { PlacedFile } from "./snapshotRows.ts"

/** Reads the footer length, which precedes the four-byte mark at the end of a Parquet file. */
export const readFooterBytes = (path: string, bytes: number) =>
  lakeStep(`Read ${path}`, async (disk) => {
    const file = await disk.open(path, "r")
    try {
      return (await file.read(4, bytes - 8)).readUInt32LE()
    } finally {
      await file.close()
    }
  })

/** The folder of a table's files of several days. */
export const duckLakeJoins = { format: "DuckLake", dayFolder } as const

/** Returns a file of several days for the catalogue. */
export const placedJoined = Effect.fnUntraced(function* (
  to: Destination,
  table: ExportTable,
  { bytes, columns, path, rows }: PutJoined
) {
  const footerBytes = yield* readFooterBytes(`${to.root}/${tableName(table)}/${path}`, bytes)
  return { path, rows, bytes, columns, footerBytes, partition: null } satisfies PlacedFile
})

/** Tables of a DuckLake in a folder, with one snapshot for each day of a game that changes. */
export const duckLakeTables = Effect.fnUntraced(function* (to: Destination, stage: string) {
  const database = yield* openCatalogue(to)
  let changes: ReadonlyArray<Change> = []

  /** Moves a partition's file into its table's folder. The file becomes visible when the day is committed. */
  const place = Effect.fn("placeInDuckLake")(function* (session: Session, partition: StagedPartition) {
    const { bytes, dt, file, gameId, isDamaged, rows, table } = partition
    const name = tableName(table)
    const found = yield* usableTable(database, table)
    const [there = [], joined = []] =
      found === null
        ? []
        : yield* catalogueStep(`Find ${name} of ${dt}`, () =>
            [liveFiles(database, found.id, dt), joinedFiles(database, table, found.id, dt)].map((files) =>
              files.filter(({ game }) => game === gameId)
            )
          )
    const out = yield* displaceDay(
      { ...duckLakeJoins, session, to, stage, table },
      joined.map((one) => datedFile(name, one)),
      partition
    )
    if (out.isThere && there.length === 0) return "unchanged" as const
    const paths = new Set(out.displaced.map((one) => one.path))
    const displaced = new Set(joined.flatMap(({ id, path: own }) => (paths.has(`${name}/${own}`) ? [id] : [])))
    const rests = yield* Effect.forEach(out.rests, (rest) => placedJoined(to, table, rest))
    const had = there.length + displaced.size
    const path = partitionPath(partition)
    const isThere = had === (rows === 0 ? 0 : 1) && (rows === 0 || there[0]?.path === path)
    if (isThere && !isDamaged && found !== null) return "unchanged" as const
    if (rows === 0) {
      changes = [...changes, { partition, file: null, displaced, rests }]
      return had === 0 ? ("unchanged" as const) : ("emptied" as const)
    }
    const { columns } = yield* fileStatistics(session, table, file)
    const footerBytes = yield* readFooterBytes(file, bytes)
    yield* to.put(`${name}/${path}`, file)
    const placed = { path, rows, bytes, footerBytes, columns, partition: [gameId, dt] as const }
    changes = [...changes, { partition, file: placed, displaced, rests }]
    return had === 0 ? ("added" as const) : ("replaced" as const)
  })

  const commitDay = Effect.gen(function* () {
    if (changes.length === 0) return
    const at = instantText(BigInt(yield* Clock.currentTimeMillis) * 1000n)
    yield* catalogueStep(`Write ${to.root}/${catalogueFile}`, () => commitChanges(database, changes, at))
    changes = []
  })
  return { place, commitDay }
})
