import { readFileSync } from "node:fs"
import { Effect } from "effect"
import type { Destination } from "../destination/Destination.ts"
import { tableName } from "../drop/Drop.ts"
import type { DropTable } from "../drop/dropTables.ts"
import { fileFault, lostPartition, type ReadPartition } from "../drop/readBack.ts"
import { TableUnfit } from "../drop/TableFault.ts"
import { catalogueStep, findCatalogue } from "./openCatalogue.ts"
import { findTable, liveFiles } from "./tableRows.ts"

const lostDaysSql = readFileSync(new URL("lost_days.sql", import.meta.url), "utf8")

/** Reads the files back that the tables have now. */
export const verifyDuckLake = Effect.fnUntraced(function* (
  to: Destination,
  stage: string,
  tables: Iterable<DropTable>
) {
  const database = yield* findCatalogue(to)
  const read: Array<ReadPartition> = []
  if (database === null) return read
  for (const table of tables) {
    const name = tableName(table)
    const found = yield* catalogueStep(`Look for ${name}`, () => findTable(database, table))
    if (found === null) continue
    if (typeof found === "string") {
      const next = "Update Cardlake, or take that back with the program that did it"
      return yield* new TableUnfit({ format: "DuckLake", table: name, reason: found, next })
    }
    for (const file of yield* catalogueStep(`Read ${name}`, () => liveFiles(database, found.id, null))) {
      const { bytes, dt, game, path, rows } = file
      const ours =
        file.is_relative === 1 ? yield* fileFault(to, stage, `${name}/${path}`, bytes) : `it lies elsewhere: ${path}`
      const fault = file.is_cut === 1 ? "another program deleted rows of it" : ours
      read.push({ table: table.name, game, dt, rows, bytes, fault })
    }
    const lost = yield* catalogueStep(`Read ${name}`, () => database.prepare(lostDaysSql).all({ tableId: found.id }))
    for (const { dt, game } of lost) read.push(lostPartition(table.name, String(game), String(dt)))
  }
  return read
})
