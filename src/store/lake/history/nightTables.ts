import { basename, join } from "node:path"
import { Effect } from "effect"
import { changesFiles, partFiles, snapshotFiles } from "../snapshot/snapshotFiles.ts"
import { partRows, snapshotRows } from "../snapshot/snapshotRows.ts"
import { FileDamaged, verifySummed, verifyFile } from "../../home/verifyFile.ts"
import { Home } from "../../home/Home.ts"
import type { TableFile } from "../../../feed/schema/tableFile.ts"
import { readSnapshot } from "../../home/Manifest.ts"
import { snapshotTables, tableNamed } from "../../../feed/schema/snapshotTables.ts"
import { feedRows } from "./feed.ts"
import { nightlyFiles, nightlyRows, nightlyTables } from "./nightlyTables.ts"
import type { Night } from "./nights.ts"
import { priceTables } from "../../../feed/schema/partTables.ts"
import { isThere } from "../../home/disk.ts"

export interface NightTable {
  /** SQL of its rows, with current columns. */
  readonly sql: string
  /** Recorded row count; null if unknown. */
  readonly rows: number | null
  /** The file with exactly these rows in key order; null if there is none. */
  readonly sortedFile: string | null
}

/** Returns the unknown keys of a pruned night; null if it was pruned before these were stored. */
const prunedDrift = Effect.fnUntraced(function* ({ gameId, snapshot }: Night) {
  const file = (yield* Home).drift(gameId, snapshot)
  if (!isThere(file)) return null
  yield* verifySummed(file)
  return { sql: feedRows(tableNamed("drift"), [file]), rows: null, sortedFile: null } satisfies NightTable
})

/** Reads a night's tables from their current location after verifying each checksum. Null if the table was pruned. */
export const nightTables = Effect.fnUntraced(function* (night: Night) {
  const home = yield* Home
  const { gameId, snapshot } = night
  const folder = home.snapshot(gameId, snapshot)
  const whole = isThere(join(folder, "manifest.json")) ? yield* readSnapshot(folder) : null
  const files = whole !== null ? yield* snapshotFiles(whole) : night.pricesIn === null ? [] : partFiles(night.pricesIn)
  const verify = (table: string) =>
    Effect.forEach(
      files.filter(({ file }) => basename(file) === `${table}.parquet`),
      verifyFile,
      { discard: true }
    )

  const ofSnapshot = Effect.fnUntraced(function* (table: string) {
    const isPrice = priceTables.some(({ name }) => name === table)
    if (whole === null && table === "drift") return yield* prunedDrift(night)
    if (whole === null && !isPrice) return null
    yield* verify(table)
    const one = { folder, manifest: { gameId, snapshot } }
    const sql = whole === null ? yield* partRows(one, table) : yield* snapshotRows([whole], table)
    const counts = whole === null ? night.tables : whole.manifest.tables
    const file = join(folder, `${table}.parquet`)
    const sortedFile = tableNamed(table).query === "" && isThere(file) ? file : null
    return { sql, rows: counts[table]?.rows ?? null, sortedFile } satisfies NightTable
  })

  const ofChanges = Effect.fnUntraced(function* (table: TableFile) {
    if (night.follows === null) return { sql: nightlyRows(table, []), rows: 0, sortedFile: null } satisfies NightTable
    const changes = home.changes(gameId, snapshot)
    const read = nightlyFiles(table.name).map((file) => join(changes, `${file}.parquet`))
    const known = yield* changesFiles(gameId, snapshot)
    yield* Effect.forEach(
      known.filter(({ file }) => read.includes(file)),
      verifyFile,
      { discard: true }
    )
    const missing = read.find((file) => !isThere(file))
    if (missing !== undefined) {
      return whole === null ? null : yield* new FileDamaged({ file: missing, what: "it is missing" })
    }
    const sql = nightlyRows(table, [{ folder: changes, contractVersion: night.contractVersion }])
    return { sql, rows: null, sortedFile: null } satisfies NightTable
  })

  return (table: string): Effect.Effect<NightTable | null, Effect.Error<ReturnType<typeof ofSnapshot>>, Home> => {
    const changes = nightlyTables.find(({ name }) => name === table)
    if (changes !== undefined) return ofChanges(changes)
    if (snapshotTables.some(({ name }) => name === table)) return ofSnapshot(table)
    return Effect.die(new Error(`A night has no table ${table}`))
  }
})
