import { lstatSync, mkdirSync } from "node:fs"
import { enableCompileCache } from "node:module"
import { fileURLToPath } from "node:url"

/** Code in it runs with our rights, so it is a folder that only we may write to, or none. */
const compileCache = (): string | null => {
  const folder = fileURLToPath(new URL("../node_modules/.cardlake", import.meta.url))
  try {
    mkdirSync(folder, { mode: 0o700, recursive: true })
  } catch {
    // It cannot be made.
  }
  const found = lstatSync(folder, { throwIfNoEntry: false })
  const isOurs = found?.isDirectory() === true && found.uid === process.getuid?.() && (found.mode & 0o022) === 0
  return isOurs ? folder : null
}

// Everything else is loaded after this: it takes a third off the time to the first answer.
const cache = compileCache()
if (cache !== null) enableCompileCache(cache)
await import("./main.ts")
