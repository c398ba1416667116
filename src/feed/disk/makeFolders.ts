import { dirname } from "node:path"
import type { Disk } from "./Disk.ts"

/** Returns the system's error code, e.g. `ENOENT`; empty if there is none. */
export const errorCode = (cause: unknown): string =>
  cause instanceof Error && "code" in cause && typeof cause.code === "string" ? cause.code : ""

/** Returns the folders that {@link makeFolders} would create, from the outermost. */
export const foldersMissing = (disk: Disk, folder: string): ReadonlyArray<string> => {
  const missing: Array<string> = []
  for (let at = folder; !disk.exists(at) && dirname(at) !== at; at = dirname(at)) missing.unshift(at)
  return missing
}

/** Creates folders one by one: Node's `recursive` never ends if a parent exists but accepts no folders, as in /proc. */
export const makeFolders = async (disk: Disk, folder: string, mode = 0o777): Promise<void> => {
  for (const at of foldersMissing(disk, folder)) {
    // oxlint-disable-next-line no-await-in-loop -- a folder needs the one above it
    await disk.makeFolder(at, mode).catch((cause: unknown) => {
      if (errorCode(cause) !== "EEXIST") throw cause
    })
  }
}
