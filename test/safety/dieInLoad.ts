import { DuckDBConnection } from "@duckdb/node-api"

/**
 * Preloaded into a process (`node --import`), which then dies as if DuckDB had crashed
 * when it sorts the records of the game `DIE_IN_LOAD_OF`.
 */
const gameId = process.env["DIE_IN_LOAD_OF"] ?? ""
const { prototype } = DuckDBConnection
const { run } = prototype

prototype.run = function (this: DuckDBConnection, ...parameters: Parameters<typeof run>) {
  const [sql] = parameters
  if (sql.includes("view batch as") && sql.includes(`'${gameId}' as game_id`)) process.kill(process.pid, "SIGSEGV")
  return run.apply(this, parameters)
}
