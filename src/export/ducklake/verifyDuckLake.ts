import { readFileSync } from "node:fs"
import type { DatabaseSync } from "node:sqlite"
import { Effect } from "effect"
import type { Destination } from "../destination/Destination.ts"
import { tableName } from "../drop/Drop.ts"
import type { DropTable } from "../drop/dropTables.ts"
import { fileFault, lostPartition, type ReadPartition } from "../drop/readBack.ts"
import { catalogueStep } from "./openCatalogue.ts"
import { liveFiles } from "./tableRows.ts"
import { usableTable } from "./usableTable.ts"

const lostDaysSql = readFileSync(new URL("lost_days.sql", import.meta.url), "utf8")

/** Reads the files back that a table has now. */
export const verifyDuckLake = Effect.fnUntraced(function* (
  to: Destination,
  database: DatabaseSync,
  stage: string,
  table: DropTable
) {
  const name = tableName(table)
  const read: Array<ReadPartition> = []
  const found = yield* usableTable(database, table)
  if (found === null) return read
  for (const file of yield* catalogueStep(`Read ${name}`, () => liveFiles(database, found.id, null))) {
    const { bytes, dt, game, path, rows } = file
    const ours =
      file.is_relative === 1 ? yield* fileFault(to, stage, `${name}/${path}`, bytes) : `it lies elsewhere: ${path}`
    const fault = file.is_cut === 1 ? "another program deleted rows of it" : ours
    read.push({ table: table.name, game, dt, rows, bytes, fault })
  }
  const lost = yield* catalogueStep(`Read ${name}`, () => database.prepare(lostDaysSql).all({ tableId: found.id }))
  for (const { dt, game } of lost) read.push(lostPartition(table.name, String(game), String(dt)))
  return read
})
