import fs from "node:fs/promises"
import { syncBuiltinESMExports } from "node:module"

/**
 * Preloaded into an export (`node --import`): kills the process before its rename or link number
 * `KILL_AT`. Renames and links are what readers see of an export.
 */
const killAt = Number(process.env["KILL_AT"] ?? 0)
const { link, rename } = fs
let renames = 0

const count = () => {
  renames++
  if (renames === killAt) process.kill(process.pid, "SIGKILL")
}
fs.rename = async (from, to) => {
  count()
  await rename(from, to)
}
fs.link = async (from, to) => {
  count()
  await link(from, to)
}
syncBuiltinESMExports()

process.on("exit", () => process.stderr.write(`\nrenames ${renames}\n`))
