import { ownText } from "../../../feed/disk/ownText.ts"
import { DatabaseSync } from "node:sqlite"
import { Clock, Effect } from "effect"
import { isThere } from "../../../store/home/disk.ts"
import { type Destination, DestinationFailed, stepAfter } from "../../destination/Destination.ts"
import { instantText, insertRow } from "./duckDbText.ts"
import { tableName } from "../../drop/Drop.ts"
import { type ExportTable, tableUnfit } from "../../drop/exportTables.ts"
import { findTable, datedFile, joinedFiles, liveFiles } from "./tableRows.ts"
import type { ReadTable } from "../../drop/readBack.ts"

const tables = ownText(new URL("catalogue.sql", import.meta.url))

const joinedIndexes = ownText(new URL("joined_indexes.sql", import.meta.url))
/** Creates the indexes for files of several days, before the catalogue gets its first one. */
export const indexJoined = (database: DatabaseSync): void => database.exec(joinedIndexes)

/** The SQLite file of the catalogue, which allows readers during a write. */
export const catalogueFile = "ducklake.sqlite"
const version = "1.0"
const maxLockMillis = 60_000

const nextStep = (reason: string): string => {
  if (/locked|busy/i.test(reason)) return "Another program is writing to it. Export again when that has finished"
  if (/disk is full|readonly|unable to open/i.test(reason)) return stepAfter(reason)
  return "Restore it from a backup, or export to an empty destination"
}

/** Runs a query of the catalogue and maps its errors. */
export const catalogueStep = <A>(what: string, run: () => A): Effect.Effect<A, DestinationFailed> =>
  Effect.try({
    try: run,
    catch: (cause) => {
      const reason = cause instanceof Error ? cause.message : String(cause)
      return new DestinationFailed({ step: what, reason, next: nextStep(reason) })
    }
  })

/** Runs a change in a transaction, and rolls it back on an error. */
export const inTransaction = <A>(database: DatabaseSync, run: () => A): A => {
  database.exec("begin immediate")
  try {
    const done = run()
    database.exec("commit")
    return done
  } catch (cause) {
    // On a full disk, SQLite has already rolled back.
    if (database.isTransaction) database.exec("rollback")
    throw cause
  }
}

const begin = (database: DatabaseSync, root: string, at: string): void => {
  database.exec(tables)
  indexJoined(database)
  const facts = { version, created_by: "Cardlake", data_path: `${root}/`, encrypted: "false" }
  for (const [key, value] of Object.entries(facts)) insertRow(database, "ducklake_metadata", { key, value })
  insertRow(database, "ducklake_snapshot", {
    snapshot_id: 0,
    snapshot_time: at,
    schema_version: 0,
    next_catalog_id: 1,
    next_file_id: 0
  })
  insertRow(database, "ducklake_snapshot_changes", { snapshot_id: 0, changes_made: 'created_schema:"main"' })
  insertRow(database, "ducklake_schema", {
    schema_id: 0,
    schema_uuid: crypto.randomUUID(),
    begin_snapshot: 0,
    schema_name: "main",
    path: "",
    path_is_relative: 1
  })
}

const isBegun = (database: DatabaseSync): boolean =>
  database.prepare("select 1 from sqlite_master where name = 'ducklake_metadata'").get() !== undefined

const readFact = (database: DatabaseSync, key: string): unknown =>
  database.prepare("select value from ducklake_metadata where key = ?").get(key)?.["value"]

/** Prepares a catalogue. All other paths are relative to `data_path`, so a moved folder needs only this update. */
const prepare = (database: DatabaseSync, root: string, at: string): unknown => {
  if (!isBegun(database) || readFact(database, "data_path") !== `${root}/`) {
    inTransaction(database, () => {
      if (!isBegun(database)) begin(database, root, at)
      database.prepare("update ducklake_metadata set value = ? where key = 'data_path'").run(`${root}/`)
    })
  }
  return readFact(database, "version")
}

/** Opens the catalogue of a folder, or creates it. */
export const openCatalogue = Effect.fnUntraced(function* (to: Destination) {
  const path = `${to.root}/${catalogueFile}`
  const what = `Open ${path}`
  const at = instantText(BigInt(yield* Clock.currentTimeMillis) * 1000n)
  const database = yield* Effect.acquireRelease(
    catalogueStep(what, () => new DatabaseSync(path, { timeout: maxLockMillis })),
    (opened) => Effect.sync(() => opened.close())
  )
  const found = yield* catalogueStep(what, () => prepare(database, to.root, at))
  if (found === version) return database
  const reason = `its catalogue has DuckLake version ${String(found)}, but Cardlake writes version ${version}`
  return yield* new DestinationFailed({ step: what, reason, next: "Export to an empty destination" })
})

/** Opens the catalogue of a folder for reading; null = it does not exist. */
export const findCatalogue = Effect.fnUntraced(function* (to: Destination) {
  return isThere(`${to.root}/${catalogueFile}`) ? yield* openCatalogue(to) : null
})

/** Finds a table of the catalogue; null = missing. Fails with `TableUnfit` if Cardlake cannot write to it. */
export const usableTable = Effect.fnUntraced(function* (database: DatabaseSync, table: ExportTable) {
  const name = tableName(table)
  const found = yield* catalogueStep(`Find ${name}`, () => findTable(database, table))
  if (typeof found !== "string") return found
  const next = "Update Cardlake, or undo the change with the program that made it"
  return yield* tableUnfit("DuckLake", name, `${found}. ${next}`)
})

const missingDaysSql = ownText(new URL("lost_days.sql", import.meta.url))
const everyFileSql = ownText(new URL("every_file.sql", import.meta.url))

export const readDuckLake = Effect.fnUntraced(function* (database: DatabaseSync, table: ExportTable) {
  const name = tableName(table)
  const found = yield* usableTable(database, table)
  if (found === null) return null
  const files = yield* catalogueStep(`Read ${name}`, () => [
    ...liveFiles(database, found.id, null),
    ...joinedFiles(database, table, found.id, null)
  ])
  const live = files.map((file) => datedFile(name, file))
  const absent = yield* catalogueStep(`Read ${name}`, () => database.prepare(missingDaysSql).all({ tableId: found.id }))
  const ever = yield* catalogueStep(`Read ${name}`, () => database.prepare(everyFileSql).all())
  const all = new Set(ever.map(({ path }) => String(path)))
  return {
    live,
    absent: absent.map(({ dt, game }) => [String(game), String(dt)] as const),
    named: (paths) => Effect.succeed(paths.filter((path) => all.has(path)))
  } satisfies ReadTable
})
