import { DuckDBInstance, type DuckDBConnection } from "@duckdb/node-api"
import { setTimeout } from "node:timers/promises"

/**
 * An analyst's process: asks `lake.duckdb` over and over until its standard input ends,
 * then prints the distinct answers as JSON. `keep` opens the file once, `reopen` for every question.
 */
const [lake = "", mode] = process.argv.slice(2)

const question = `
  select (select string_agg(snapshot, ',') from snapshots where is_current) as snapshot,
    (select count(*) || ' ' || bit_xor(hash(p)) from products p) as products,
    (select count(*) || ' ' || coalesce(bit_xor(hash(s)), 0) from source_prices s) as prices,
    (select count(*) from changes) as changes`

const ask = async (connection: DuckDBConnection) => {
  const reader = await connection.runAndReadAll(question)
  return JSON.stringify(reader.getRowsJson()[0])
}

const open = () => DuckDBInstance.create(lake, { access_mode: "READ_ONLY" })

const answers = new Set<string>()
const asked = { enough: false }
process.stdin.on("end", () => (asked.enough = true)).resume()

const kept = await open()
const keptConnection = await kept.connect()
while (!asked.enough) {
  if (mode === "keep") answers.add(await ask(keptConnection))
  else {
    const instance = await open()
    const connection = await instance.connect()
    answers.add(await ask(connection))
    connection.closeSync()
    instance.closeSync()
  }
  await setTimeout(100)
}
process.stdout.write(JSON.stringify([...answers]))
