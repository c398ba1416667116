import { Effect } from "effect"
import type { Destination } from "../destination/Destination.ts"
import { contractOf } from "./contractOf.ts"
import type { ExportTable } from "./exportTables.ts"

/** Writes `contract.json` beside every table whose contract has changed. */
export const writeContracts = (
  to: Destination,
  tables: ReadonlyArray<ExportTable>,
  locationOf: (table: ExportTable) => string
) =>
  Effect.forEach(
    tables,
    Effect.fnUntraced(function* (table) {
      const path = `${table.name}/contract.json`
      const text = `${JSON.stringify(contractOf(table, locationOf(table)), null, 2)}\n`
      if ((yield* to.read(path)) !== text) yield* to.write(path, text)
    }),
    { discard: true }
  )
