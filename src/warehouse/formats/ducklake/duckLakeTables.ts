import { Clock, Effect } from "effect"
import type { Session } from "../../../store/lake/duckdb/Lake.ts"
import type { Destination } from "../../destination/Destination.ts"
import { placeInTables, type TableChange } from "../../drop/placeInTables.ts"
import { partitionPath, tableName } from "../../drop/Drop.ts"
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

/** Returns a placed file for the catalogue; `partition` is its game and day, null for a file of several days. */
export const placedFile = Effect.fnUntraced(function* (
  to: Destination,
  table: ExportTable,
  { bytes, columns, path, rows }: Pick<PlacedFile, "bytes" | "columns" | "path" | "rows">,
  partition: PlacedFile["partition"] = null
) {
  const footerBytes = yield* readFooterBytes(`${to.root}/${tableName(table)}/${path}`, bytes)
  return { path, rows, bytes, columns, footerBytes, partition } satisfies PlacedFile
})

/** Tables of a DuckLake in a folder, with one snapshot for each day of a game that changes. */
export const duckLakeTables = Effect.fnUntraced(function* (to: Destination, stage: string) {
  const database = yield* openCatalogue(to)
  let changes: ReadonlyArray<Change> = []

  /** Opens a partition's table. Its changes become visible when the day is committed. */
  const open = Effect.fnUntraced(function* (_: Session, partition: StagedPartition) {
    const { bytes, dt, gameId, rows, table } = partition
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
    // A table without rows is created, too.
    if (found === null) changes = [...changes, { partition, file: null, displaced: new Set(), rests: [] }]
    const commit = Effect.fnUntraced(function* ({ displaced, file, rests }: TableChange) {
      const own = { path: partitionPath(partition), rows, bytes }
      const change = {
        partition,
        file: file === null ? null : yield* placedFile(to, table, { ...own, ...file }, [gameId, dt]),
        displaced: new Set(joined.flatMap(({ id, path }) => (displaced.has(`${name}/${path}`) ? [id] : []))),
        rests: yield* Effect.forEach(rests, (rest) => placedFile(to, table, rest))
      }
      changes = [...changes, change]
    })
    const dated = (files: typeof there) => files.map((one) => datedFile(name, one))
    return { there: dated(there), joined: dated(joined), commit }
  })

  const commitDay = Effect.gen(function* () {
    if (changes.length === 0) return
    const at = instantText(BigInt(yield* Clock.currentTimeMillis) * 1000n)
    yield* catalogueStep(`Write ${to.root}/${catalogueFile}`, () => commitChanges(database, changes, at))
    changes = []
  })
  return { place: placeInTables({ ...duckLakeJoins, to, stage }, open), commitDay }
})
