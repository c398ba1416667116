import { DuckDBConnection } from "@duckdb/node-api"

/**
 * Preloaded into a process (`node --import`):
 * it dies as by a fault in DuckDB when it stages the pages of the game `DIE_IN_LOAD_OF`.
 */
const gameId = process.env["DIE_IN_LOAD_OF"] ?? ""
const { prototype } = DuckDBConnection
const { run } = prototype
let isItsTurn = false

prototype.run = function (this: DuckDBConnection, ...parameters: Parameters<typeof run>) {
  const [sql] = parameters
  if (sql.startsWith("set variable game_id")) isItsTurn = sql.includes(`'${gameId}'`)
  if (isItsTurn && sql.includes("create table raw_products")) process.kill(process.pid, "SIGSEGV")
  return run.apply(this, parameters)
}
