import { DuckDBInstance } from "@duckdb/node-api"
import { readFileSync } from "node:fs"

/** `node runHalf.ts DATABASE < load.sql` runs a load script to the middle of its transaction, and is then killed. */
const [database = ""] = process.argv.slice(2)
const statements = readFileSync(0, "utf8").split(";\n\n")
const middle = Math.ceil((statements.indexOf("begin transaction") + statements.length) / 2)
const connection = await (await DuckDBInstance.create(database)).connect()
await connection.run(`${statements.slice(0, middle).join(";\n")};`)
process.kill(process.pid, "SIGKILL")
