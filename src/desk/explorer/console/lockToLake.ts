import { basename, dirname, join, resolve } from "node:path"
import { type DuckDBConnection, DuckDBInstance } from "@duckdb/node-api"
import { sqlText, noExtensions } from "../../../store/lake/duckdb/Lake.ts"
import { memoryBound } from "../../../feed/rows/memoryBound.ts"

/** Where the lake's views, and those of the reader's own cards, read their Parquet, below the home. */
const folders = ["snapshots", "changes", "history", "own"]

/**
 * Locks a connection's whole DuckDB for good: it reads the home's Parquet and what is attached already, and nothing
 * else. No network, no extensions. `files` are those that the program itself writes.
 */
export const lockToLake = async (connection: DuckDBConnection, home: string, files: ReadonlyArray<string> = []) => {
  const parquet = folders.map((name) => sqlText(`${join(home, name)}/`))
  // DuckDB writes beside a file that is there already, then renames.
  const written = files
    .map((file) => resolve(file))
    .flatMap((file) => [file, join(dirname(file), `tmp_${basename(file)}`)])
  await connection.run(
    [
      "set autoinstall_known_extensions = false",
      "set autoload_known_extensions = false",
      `set allowed_directories = [${parquet.join(", ")}]`,
      `set allowed_paths = [${written.map(sqlText).join(", ")}]`,
      "set enable_external_access = false",
      "set lock_configuration = true"
    ].join("; ")
  )
}

/** Memory that a query of the console may use, without spilling; in DuckDB's format. */
export const consoleMemory = memoryBound(512, 1 / 8)

/** The lake for strangers, and what `own` opens beside it: read-only, locked, bounded memory without spilling. It must be the process's only DuckDB. */
export const lockedLake = async (lake: string, own: string | null = null) => {
  const instance = await DuckDBInstance.create(lake, {
    access_mode: "READ_ONLY",
    ...consoleMemory,
    temp_directory: "",
    ...noExtensions
  })
  const connection = await instance.connect()
  await connection.run("set TimeZone = 'UTC'")
  if (own !== null) await connection.run(own)
  await lockToLake(connection, dirname(lake))
  return connection
}
