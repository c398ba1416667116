import { basename, dirname, join, resolve } from "node:path"
import { type DuckDBConnection, DuckDBInstance } from "@duckdb/node-api"
import { sqlText, noExtensions } from "../../../store/lake/duckdb/Lake.ts"
import { memoryBound } from "../../../feed/rows/memoryBound.ts"

/** Folders below the home with the Parquet files that the lake's views read. */
const ofLake = ["snapshots", "changes", "history"]
/** The folder with the Parquet of the reader's cards. */
const ofReader = "own"

/**
 * Locks a connection's DuckDB instance permanently: it can read only the home's Parquet and already attached databases.
 * Network and extensions are disabled. `files` are those that the program itself writes.
 */
export const lockToLake = async (
  connection: DuckDBConnection,
  home: string,
  { files = [], hasOwn = true }: { readonly files?: ReadonlyArray<string>; readonly hasOwn?: boolean } = {}
) => {
  const parquet = (hasOwn ? [...ofLake, ofReader] : ofLake).map((name) => sqlText(`${join(home, name)}/`))
  // DuckDB writes to a temporary file beside an existing one, then renames it.
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

/** Memory limit of a console query, without spilling, in DuckDB's format. */
export const consoleMemory = memoryBound(512, 1 / 8)

/** Opens `lake` and `own` for untrusted queries: read-only, locked, no spilling. Must be the process's only DuckDB. */
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
  await lockToLake(connection, dirname(lake), { hasOwn: own !== null })
  return connection
}
