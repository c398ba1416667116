import { DuckDBConnection } from "@duckdb/node-api"
import { writeFileSync } from "node:fs"
import fs from "node:fs/promises"
import { syncBuiltinESMExports } from "node:module"

/**
 * Preloaded into a run: counts its steps on files and DuckDB from its first snapshot or part on, also of a backfill,
 * and kills it before step `KILL_AT`. At the end the names of the steps go to the file `KILL_STEPS`.
 */
const killAt = Number(process.env["KILL_AT"] ?? 0)
const steps: Array<string> = []
let loading = false

const step = (name: string) => {
  if (!loading) return
  steps.push(name)
  if (steps.length === killAt) process.kill(process.pid, "SIGKILL")
}

/** The function, counted as a step before each call. */
const counted = <F extends (...parameters: Array<never>) => unknown>(name: string, original: F): F =>
  function (this: unknown, ...parameters: Array<never>) {
    if (name === "mkdir" && /\/snapshot$|\/parts\/|\/backfill\//.test(String(parameters[0]))) loading = true
    step(name)
    return original.apply(this, parameters)
  } as F

const handle = await fs.open(import.meta.filename)
const fileHandle = Object.getPrototypeOf(handle) as typeof handle
await handle.close()
fileHandle.sync = counted("sync", fileHandle.sync)
fileHandle.writeFile = counted("writeFile", fileHandle.writeFile)
fs.rename = counted("rename", fs.rename)
fs.open = counted("open", fs.open)
fs.mkdir = counted("mkdir", fs.mkdir)
fs.rm = counted("rm", fs.rm)
syncBuiltinESMExports()

const { prototype } = DuckDBConnection
prototype.run = counted("duckdb", prototype.run)

process.on("exit", () => {
  const file = process.env["KILL_STEPS"]
  if (file !== undefined) writeFileSync(file, JSON.stringify(steps))
})
