import { basename, join } from "node:path"
import { Effect } from "effect"
import { sqlText } from "../duckdb/Lake.ts"
import { changesFiles, partFiles, snapshotFiles } from "../snapshot/snapshotFiles.ts"
import { partRows, snapshotRows } from "../snapshot/snapshotRows.ts"
import { FileDamaged, verifySummed, verifyFile } from "../../home/verifyFile.ts"
import { Home } from "../../home/Home.ts"
import { tableFile } from "../../../feed/schema/tableFile.ts"
import { readSnapshot } from "../../home/Manifest.ts"
import { snapshotTables, tableNamed } from "../../../feed/schema/snapshotTables.ts"
import { feedRows } from "./feed.ts"
import type { Night } from "./nights.ts"
import { priceTables } from "../../../feed/schema/partTables.ts"
import { isThere } from "../../home/disk.ts"

/** A table of a night. */
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

const changed = new Set(["changes", "reconciliations"])

/** Reads tables of a night from their current location after verifying each file's sum. Null: the table was pruned. */
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

  const ofChanges = Effect.fnUntraced(function* (table: string) {
    const file = join(home.changes(gameId, snapshot), `${table}.parquet`)
    const known = (yield* changesFiles(gameId, snapshot)).find((one) => one.file === file)
    if (night.follows === null) {
      const { columns } = tableFile(new URL(`../published/${table}.sql`, import.meta.url))
      return {
        sql: `select ${columns.map(({ name }) => `null as "${name}"`).join(", ")} where false`,
        rows: 0,
        sortedFile: null
      }
    }
    if (known !== undefined) yield* verifyFile(known)
    if (!isThere(file)) {
      if (whole !== null) return yield* new FileDamaged({ file, what: "it is missing" })
      return null
    }
    return {
      sql: `from read_parquet(${sqlText(file)}, hive_partitioning = false)`,
      rows: null,
      sortedFile: null
    } satisfies NightTable
  })

  return (table: string): Effect.Effect<NightTable | null, Effect.Error<ReturnType<typeof ofSnapshot>>, Home> => {
    if (changed.has(table)) return ofChanges(table)
    if (snapshotTables.some(({ name }) => name === table)) return ofSnapshot(table)
    return Effect.die(new Error(`A night has no table ${table}`))
  }
})
