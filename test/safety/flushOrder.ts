import { writeFileSync } from "node:fs"
import fs from "node:fs/promises"
import { syncBuiltinESMExports } from "node:module"

/**
 * Preloaded into a run (`node --import`):
 * writes to the file `FLUSH_ORDER` which paths it flushed and which it renamed to, in their order.
 */
const seen: Array<readonly [what: "flush" | "rename", path: string]> = []
const { open, rename } = fs

fs.open = async (...parameters) => {
  const handle = await open(...parameters)
  const sync = handle.sync.bind(handle)
  handle.sync = async () => {
    await sync()
    seen.push(["flush", String(parameters[0])])
  }
  return handle
}
fs.rename = async (from, to) => {
  await rename(from, to)
  seen.push(["rename", String(to)])
}
syncBuiltinESMExports()

process.on("exit", () => writeFileSync(process.env["FLUSH_ORDER"] ?? "", JSON.stringify(seen)))
