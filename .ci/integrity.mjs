// Completes package-lock.json: asks the registry for the hash of every entry that has none, and moves no version.
import { spawnSync } from "node:child_process"
import { readFileSync, writeFileSync } from "node:fs"
import { dirname, join } from "node:path"
import { fileURLToPath } from "node:url"

const file = join(dirname(dirname(fileURLToPath(import.meta.url))), "package-lock.json")
const lock = JSON.parse(readFileSync(file, "utf8"))

/** A registry that does not have the package answers nothing. */
const hashOf = (path, version) => {
  const name = path.slice(path.lastIndexOf("node_modules/") + "node_modules/".length)
  const { stdout } = spawnSync("npm", ["view", `${name}@${version}`, "dist.integrity"], { encoding: "utf8" })
  return stdout.trim()
}

const without = Object.entries(lock.packages).filter(([path, entry]) => path !== "" && entry.integrity === undefined)
let completed = 0
for (const [path, entry] of without) {
  const integrity = hashOf(path, entry.version)
  if (!/^sha512-[\w+/=]+$/.test(integrity)) continue
  const { version, ...rest } = entry
  lock.packages[path] = { version, integrity, ...rest }
  completed += 1
}
writeFileSync(file, `${JSON.stringify(lock, null, 2)}\n`)
console.error(`${completed} of ${without.length} entries without a hash were completed`)
