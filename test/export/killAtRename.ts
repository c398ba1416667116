import fs from "node:fs/promises"
import { syncBuiltinESMExports } from "node:module"

/**
 * Preloaded into an export (`node --import`): kills the process before or after the rename number `KILL_AT` that puts
 * something into the drop. Renames are what readers see.
 */
const killAt = Number(process.env["KILL_AT"] ?? 0)
const rename = fs.rename
let renames = 0

fs.rename = async (from, to) => {
  renames++
  if (renames === killAt) process.kill(process.pid, "SIGKILL")
  await rename(from, to)
}
syncBuiltinESMExports()

process.on("exit", () => process.stderr.write(`\nrenames ${renames}\n`))
