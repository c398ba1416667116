import type { DatabaseSync } from "node:sqlite"
import { Effect } from "effect"
import { tableName } from "../../drop/Drop.ts"
import { type ExportTable, TableUnfit } from "../../drop/exportTables.ts"
import { catalogueStep } from "./openCatalogue.ts"
import { findTable } from "./tableRows.ts"

/** A table of the catalogue; null = there is none. Fails with `TableUnfit` if Cardlake cannot continue it. */
export const usableTable = Effect.fnUntraced(function* (database: DatabaseSync, table: ExportTable) {
  const name = tableName(table)
  const found = yield* catalogueStep(`Look for ${name}`, () => findTable(database, table))
  if (typeof found !== "string") return found
  const next = "Update Cardlake, or take that back with the program that did it"
  return yield* new TableUnfit({ format: "DuckLake", table: name, reason: found, next })
})
