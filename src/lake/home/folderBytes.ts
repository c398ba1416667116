import { existsSync } from "node:fs"
import { lstat, readdir } from "node:fs/promises"
import { join } from "node:path"
import { lakeStep } from "../duckdb/LakeError.ts"

/** Bytes of a file, or of all files below a folder; 0 where there is none. */
export const folderBytes = (path: string) => lakeStep(`Measure ${path}`, () => bytesOf(path))

const bytesOf = async (path: string): Promise<number> => {
  if (!existsSync(path)) return 0
  const found = await lstat(path)
  if (!found.isDirectory()) return found.size
  const inside = await Promise.all((await readdir(path)).map((name) => bytesOf(join(path, name))))
  return inside.reduce((sum, bytes) => sum + bytes, 0)
}
