import { DuckDBInstance } from "@duckdb/node-api"
import { setTimeout } from "node:timers/promises"

/**
 * Another team's program: opens the lake read-only with DuckDB's own client, once for good and over
 * and over, and prints how many products each sees, as `{current, kept}`, until it is stopped.
 */
const productsIn = async (instance: DuckDBInstance): Promise<number> => {
  const connection = await instance.connect()
  const reader = await connection.runAndReadAll("select count(*)::integer from products")
  connection.closeSync()
  return Number(reader.getRows()[0]?.[0])
}

const path = process.argv[2] ?? ""
const kept = await DuckDBInstance.create(path, { access_mode: "READ_ONLY" })
while (true) {
  const opened = await DuckDBInstance.create(path, { access_mode: "READ_ONLY" })
  console.log(JSON.stringify({ current: await productsIn(opened), kept: await productsIn(kept) }))
  opened.closeSync()
  await setTimeout(30)
}
