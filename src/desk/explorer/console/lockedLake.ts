import { dirname } from "node:path"
import { DuckDBInstance } from "@duckdb/node-api"
import { memoryBound } from "../../../feed/rows/memoryBound.ts"
import { noExtensions } from "../../../store/lake/duckdb/Lake.ts"
import { lockToLake } from "./lockToLake.ts"

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
