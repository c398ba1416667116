import { tableFile, type TableFile } from "../../../feed/schema/tableFile.ts"
import { snapshotTables } from "../../../feed/schema/snapshotTables.ts"
import { historyViews, macros, nightsTable, readingsTable, reusedIdsTable } from "../history/historyTables.ts"

const files = (...names: ReadonlyArray<string>) =>
  names.map((name) => tableFile(new URL(`../published/${name}.sql`, import.meta.url)))

/** What manifests say about the snapshots. */
export const ledgers = files("snapshots", "quality_checks")
export const runsTable = tableFile(new URL("../published/runs.sql", import.meta.url))
export const ratesTable = tableFile(new URL("../published/fx_rates.sql", import.meta.url))
/** Made after `readings`, whose last one says which names count. */
export const sourcesTable = tableFile(new URL("../published/price_sources.sql", import.meta.url))
/** Views over the Parquet of every night's changes. */
export const nightlyTables = files("changes", "reconciliations")

/** What a lake has besides the tables of its snapshots and the history. */
export const publishedTables = [...ledgers, runsTable, ratesTable, sourcesTable, ...nightlyTables]

/** The files of everything in a lake that can be asked. */
export const lakeFiles: ReadonlyArray<readonly ["table" | "view" | "macro", ReadonlyArray<TableFile>]> = [
  ["table", [...snapshotTables, ...publishedTables, nightsTable, readingsTable, reusedIdsTable]],
  ["view", historyViews],
  ["macro", macros]
]
