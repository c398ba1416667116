import type { TableFile } from "../../../feed/schema/tableFile.ts"
import { snapshotTables } from "../../../feed/schema/snapshotTables.ts"
import { historyViews, macros, nightsTable, readingsTable, reusedIdsTable } from "../history/historyTables.ts"
import { publishedTables } from "./publishedTables.ts"

/** The files of everything in a lake that can be asked. */
export const lakeFiles: ReadonlyArray<readonly ["table" | "view" | "macro", ReadonlyArray<TableFile>]> = [
  ["table", [...snapshotTables, ...publishedTables, nightsTable, readingsTable, reusedIdsTable]],
  ["view", historyViews],
  ["macro", macros]
]
