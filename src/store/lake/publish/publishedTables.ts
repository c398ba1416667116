import { tableFile, type TableFile } from "../../../feed/schema/tableFile.ts"
import { snapshotTables } from "../../../feed/schema/snapshotTables.ts"
import { nightlyTables } from "../history/nightlyTables.ts"
import { historyViews, macros, nightsTable, readingsTable, reusedIdsTable } from "../history/historyTables.ts"

const files = (...names: ReadonlyArray<string>) =>
  names.map((name) => tableFile(new URL(`../published/${name}.sql`, import.meta.url)))

/** Tables built from manifests. */
export const ledgers = files("snapshots", "quality_checks")
/** Built from `current.json`. */
export const publicationsTable = tableFile(new URL("../published/publications.sql", import.meta.url))
export const runsTable = tableFile(new URL("../published/runs.sql", import.meta.url))
export const ratesTable = tableFile(new URL("../published/fx_rates.sql", import.meta.url))
/** Built after `readings`, whose last row decides which names count. */
export const sourcesTable = tableFile(new URL("../published/price_sources.sql", import.meta.url))

/** Tables and views of a lake outside of its snapshots and history. */
export const publishedTables = [...ledgers, publicationsTable, runsTable, ratesTable, sourcesTable, ...nightlyTables]

/** SQL files of everything in a lake that can be queried. */
export const lakeFiles: ReadonlyArray<readonly ["table" | "view" | "macro", ReadonlyArray<TableFile>]> = [
  ["table", [...snapshotTables, ...publishedTables, nightsTable, readingsTable, reusedIdsTable]],
  ["view", historyViews],
  ["macro", macros]
]
