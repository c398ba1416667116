import { ownText } from "../../../feed/disk/ownText.ts"
import type { DatabaseSync } from "node:sqlite"
import { Effect } from "effect"
import { tableName } from "../../drop/Drop.ts"
import type { ExportTable } from "../../drop/exportTables.ts"
import type { ReadTable } from "../../drop/readBack.ts"
import { catalogueStep, usableTable } from "./openCatalogue.ts"
import { datedFile, joinedFiles, liveFiles } from "./tableRows.ts"

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
