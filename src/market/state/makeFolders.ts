import { existsSync, mkdirSync } from "node:fs"
import { dirname } from "node:path"

/** Makes a folder and those above it. Node's own `recursive` never ends where none can be made, as in /proc. */
export const makeFolders = (folder: string): void => {
  if (existsSync(folder)) return
  if (dirname(folder) !== folder) makeFolders(dirname(folder))
  mkdirSync(folder)
}
