import type { DatabaseSync } from "node:sqlite"
import { Clock, Effect } from "effect"
import { type DropAt, tableName } from "../../drop/Drop.ts"
import { type ExportTable, commitConflict } from "../../drop/exportTables.ts"
import { joinFiles, type JoinSizes } from "../../drop/joinFiles.ts"
import { instantText } from "./duckDbText.ts"
import { catalogueFile, catalogueStep, indexJoined, inTransaction, usableTable } from "./openCatalogue.ts"
import { duckLakeJoins, placedFile } from "./duckLakeTables.ts"
import { addFile, beginSnapshot, endFiles, endSnapshot, type PlacedFile } from "./snapshotRows.ts"
import { datedFile, joinedFiles, liveFiles, type FoundTable } from "./tableRows.ts"

const listFiles = (database: DatabaseSync, table: ExportTable, id: number) => [
  ...liveFiles(database, id, null),
  ...joinedFiles(database, table, id, null)
]

/** Replaces files by joined ones; false = some of the replaced files no longer exist. */
const commitJoined = (
  database: DatabaseSync,
  table: ExportTable,
  found: FoundTable,
  {
    at,
    displaced,
    placed
  }: { readonly at: string; readonly displaced: ReadonlySet<number>; readonly placed: ReadonlyArray<PlacedFile> }
): boolean =>
  inTransaction(database, () => {
    const there = listFiles(database, table, found.id).filter(
      ({ id, is_cut: isCut }) => displaced.has(id) && isCut === 0
    )
    if (there.length < displaced.size) return false
    indexJoined(database)
    const snapshot = beginSnapshot(database)
    endFiles(database, snapshot, found.id, there)
    for (const file of placed) addFile(database, snapshot, found, file)
    snapshot.changes.push(`compacted_table:${found.id}`)
    const message = `${tableName(table)}, compacted`
    endSnapshot(database, snapshot, { at, message, facts: { "cardlake.compacted": "true" } })
    return true
  })

/** Joins a table's files of past months, in one snapshot that changes no row; null = the table does not exist. */
export const compactDuckLake = Effect.fn("compactDuckLake")(function* (
  at: DropAt,
  database: DatabaseSync,
  table: ExportTable,
  sizes: JoinSizes
) {
  const { to } = at
  const name = tableName(table)
  const found = yield* usableTable(database, table)
  if (found === null) return null
  const there = yield* catalogueStep(`Read ${name}`, () => listFiles(database, table, found.id))
  const files = there.map((file) => datedFile(name, file))
  return yield* joinFiles({ ...at, ...duckLakeJoins, table }, files, sizes, (puts, replaced) =>
    Effect.gen(function* () {
      const displaced = new Set(there.flatMap(({ id, path }) => (replaced.has(`${name}/${path}`) ? [id] : [])))
      const placed = yield* Effect.forEach(puts, (put) => placedFile(to, table, put))
      const now = instantText(BigInt(yield* Clock.currentTimeMillis) * 1000n)
      const isDone = yield* catalogueStep(`Write ${to.root}/${catalogueFile}`, () =>
        commitJoined(database, table, found, { at: now, displaced, placed })
      )
      if (!isDone) return yield* commitConflict("DuckLake", name)
    })
  )
})
