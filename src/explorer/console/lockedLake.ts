import { dirname, join } from "node:path"
import { DuckDBInstance } from "@duckdb/node-api"
import { memoryBound } from "../../lake/memoryBound.ts"
import { noExtensions } from "../../lake/noExtensions.ts"
import { sqlText } from "../../lake/sqlText.ts"

/** Where the lake's views find their Parquet, below the home. */
const folders = ["snapshots", "changes", "history"]

/** What a query of the console may hold, spilling nothing; in DuckDB's words. */
export const consoleMemory = memoryBound(512, 1 / 8)

/**
 * The lake for strangers: read-only, no file but the home's Parquet, no network, no extensions, bounded memory without spilling, and no
 * way back: the configuration is locked. It must be the process's only DuckDB.
 */
export const lockedLake = async (lake: string) => {
  const instance = await DuckDBInstance.create(lake, {
    access_mode: "READ_ONLY",
    ...consoleMemory,
    temp_directory: "",
    ...noExtensions
  })
  const connection = await instance.connect()
  const parquet = folders.map((name) => sqlText(`${join(dirname(lake), name)}/`))
  await connection.run(
    [
      "set TimeZone = 'UTC'",
      `set allowed_directories = [${parquet.join(", ")}]`,
      "set enable_external_access = false",
      "set lock_configuration = true"
    ].join("; ")
  )
  return connection
}
