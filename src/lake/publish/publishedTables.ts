import { tableFile } from "../duckdb/tableFile.ts"

const files = (...names: ReadonlyArray<string>) => names.map((name) => tableFile(`published/${name}.sql`))

/** What manifests say about the snapshots. */
export const ledgers = files("snapshots", "quality_checks")
export const runsTable = tableFile("published/runs.sql")
export const ratesTable = tableFile("published/fx_rates.sql")
/** Views over the Parquet of every night's changes. */
export const nightlyTables = files("changes", "reconciliations")

/** What a lake has besides the tables of its snapshots and the history. */
export const publishedTables = [...ledgers, runsTable, ratesTable, ...nightlyTables]
