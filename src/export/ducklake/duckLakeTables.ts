import { open } from "node:fs/promises"
import { Clock, Effect } from "effect"
import type { Session } from "../../lake/duckdb/Lake.ts"
import { lakeStep } from "../../home/LakeError.ts"
import type { Destination } from "../destination/Destination.ts"
import { partitionPath, tableName } from "../drop/Drop.ts"
import { fileStatistics } from "../drop/fileStatistics.ts"
import type { StagedPartition } from "../drop/PlacePartition.ts"
import { type Change, commitChanges } from "./commitChanges.ts"
import { instantText } from "./duckDbText.ts"
import { catalogueFile, catalogueStep, openCatalogue } from "./openCatalogue.ts"
import { liveFiles } from "./tableRows.ts"
import { usableTable } from "./usableTable.ts"

/** A Parquet file ends with the length of its footer and a mark of four bytes. */
const footerBytesOf = async (path: string, bytes: number): Promise<number> => {
  const handle = await open(path, "r")
  try {
    const { buffer } = await handle.read(Buffer.alloc(4), 0, 4, bytes - 8)
    return buffer.readUInt32LE()
  } finally {
    await handle.close()
  }
}

/** Tables of a DuckLake in a folder, a snapshot for each day of a game that changes. */
export const duckLakeTables = Effect.fnUntraced(function* (to: Destination) {
  const database = yield* openCatalogue(to)
  let changes: ReadonlyArray<Change> = []

  /** Puts a partition's file into its table's folder. Readers see it when the day is committed. */
  const place = Effect.fn("placeInDuckLake")(function* (session: Session, partition: StagedPartition) {
    const { bytes, dt, file, gameId, isDamaged, rows, table } = partition
    const name = tableName(table)
    const found = yield* usableTable(database, table)
    const there =
      found === null
        ? []
        : (yield* catalogueStep(`Look for ${name} of ${dt}`, () => liveFiles(database, found.id, dt))).filter(
            ({ game }) => game === gameId
          )
    const path = partitionPath(partition)
    const isThere = there.length === (rows === 0 ? 0 : 1) && (rows === 0 || there[0]?.path === path)
    if (isThere && !isDamaged && found !== null) return "unchanged" as const
    if (rows === 0) {
      changes = [...changes, { partition, file: null }]
      return there.length === 0 ? ("unchanged" as const) : ("emptied" as const)
    }
    const { columns } = yield* fileStatistics(session, table, file)
    const footerBytes = yield* lakeStep(`Read ${file}`, () => footerBytesOf(file, bytes))
    yield* to.put(`${name}/${path}`, file)
    changes = [...changes, { partition, file: { path, footerBytes, columns } }]
    return there.length === 0 ? ("added" as const) : ("replaced" as const)
  })

  /** Shows what was placed, all of it at once. */
  const commitDay = Effect.gen(function* () {
    if (changes.length === 0) return
    const at = instantText(BigInt(yield* Clock.currentTimeMillis) * 1000n)
    yield* catalogueStep(`Write ${to.root}/${catalogueFile}`, () => commitChanges(database, changes, at))
    changes = []
  })
  return { place, commitDay }
})
