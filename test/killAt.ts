import { DuckDBConnection } from "@duckdb/node-api"
import nodeFs from "node:fs"
import fs from "node:fs/promises"
import { syncBuiltinESMExports } from "node:module"
import { basename } from "node:path"

/**
 * Preloaded into a run, which it kills before step `KILL_AT`: the number of a step of this run, or a name, such as
 * `rename lake.duckdb`. Steps are the calls of `KILL_AMONG`; without it, all that follow the first folder of a
 * snapshot, part or backfill.
 */
const { KILL_AMONG: among, KILL_AT: killAt = "" } = process.env
let [counts, steps] = [among !== undefined, 0]

/** The function, whose calls are steps. */
const counted = <F extends (...parameters: Array<never>) => unknown>(name: string, original: F): F =>
  among?.split(" ").includes(name) === false
    ? original
    : (function (this: unknown, ...parameters: Array<never>) {
        const paths = parameters.filter((value) => typeof value === "string") as ReadonlyArray<string>
        if (name === "mkdir" && /\/snapshot$|\/parts\/|\/backfill\//.test(String(parameters[0]))) counts = true
        if (counts) {
          const step = name === "duckdb" ? name : `${name} ${basename(paths.at(-1) ?? "")}`
          if (String(++steps) === killAt || step === killAt) {
            nodeFs.writeSync(2, `killed before step ${steps}, ${step}`)
            process.kill(process.pid, "SIGKILL")
          }
        }
        return original.apply(this, parameters)
      } as F)

const handle = await fs.open(import.meta.filename)
const fileHandle = Object.getPrototypeOf(handle) as typeof handle
await handle.close()
fileHandle.sync = counted("sync", fileHandle.sync)
fileHandle.writeFile = counted("writeFile", fileHandle.writeFile)
fs.rename = counted("rename", fs.rename)
fs.link = counted("link", fs.link)
fs.open = counted("open", fs.open)
fs.mkdir = counted("mkdir", fs.mkdir)
fs.rm = counted("rm", fs.rm)
syncBuiltinESMExports()

const { prototype } = DuckDBConnection
prototype.run = counted("duckdb", prototype.run)
