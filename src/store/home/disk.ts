import { createHash, hash } from "node:crypto"
import { constants, createReadStream, existsSync } from "node:fs"
import { lstat, mkdir, open, readdir, readFile, rename, rm, stat, mkdtemp } from "node:fs/promises"
import { dirname, join } from "node:path"
import { Effect } from "effect"
import { lakeStep } from "../../feed/reading/LakeError.ts"
import { StandIns } from "../../feed/reading/StandIns.ts"
import { tmpdir } from "node:os"

/** Returns the system's error code, e.g. `ENOENT`; empty if there is none. */
export const codeOf = (cause: unknown): string =>
  cause instanceof Error && "code" in cause && typeof cause.code === "string" ? cause.code : ""

/** Returns null for `catch` if the path does not exist, is a broken link, or has a file as a parent. */
export const whereNothingIs = (cause: unknown): null => {
  if (codeOf(cause) === "ENOENT" || codeOf(cause) === "ENOTDIR") return null
  throw cause
}

/** True if a path exists. Synchronous, because the generated SQL depends on it. */
export const isThere = (path: string): boolean => existsSync(path)

/** Returns the sorted names in a folder; empty if the folder does not exist. */
export const namesIn = (folder: string) =>
  Effect.map(
    lakeStep(`List ${folder}`, () => readdir(folder).catch(whereNothingIs)),
    (names) => (names ?? []).sort()
  )

/** Returns the sorted names of a folder that have the prefix, without it; empty if the folder does not exist. */
export const foldersIn = (folder: string, prefix: string) =>
  Effect.map(namesIn(folder), (names) =>
    names
      .filter((name) => name.startsWith(prefix))
      .map((name) => name.slice(prefix.length))
      .filter((name) => !/^\.{1,2}$|\\/.test(name))
  )

/** Returns the bytes of a file or folder, including remote files; 0 if it does not exist. */
export const measureBytes = (path: string) =>
  Effect.flatMap(StandIns, (standIns) => lakeStep(`Measure ${path}`, () => measured(path, standIns)))

const measured = async (path: string, standIns: StandIns | null): Promise<number> => {
  const found = await lstat(path).catch(whereNothingIs)
  if (found === null || !found.isDirectory()) return standIns?.sizeOf(path) ?? found?.size ?? 0
  const inside = await Promise.all((await readdir(path)).map((name) => measured(join(path, name), standIns)))
  return inside.reduce((sum, bytes) => sum + bytes, 0)
}

/** Folder by folder: Node's own `recursive` never ends if the parent exists but takes no folders, as in /proc. */
export const makeFolders = async (folder: string, mode = 0o777): Promise<void> => {
  const missing: Array<string> = []
  for (let at = folder; !existsSync(at) && dirname(at) !== at; at = dirname(at)) missing.unshift(at)
  for (const at of missing) {
    // oxlint-disable-next-line no-await-in-loop -- a folder needs the one above it
    await mkdir(at, mode).catch((cause: NodeJS.ErrnoException) => {
      if (cause.code !== "EEXIST") throw cause
    })
  }
}

/** Creates a folder and its parents; keeps an existing one. */
export const makeFolder = (folder: string) => lakeStep(`Make ${folder}`, () => makeFolders(folder))

/** Creates an empty folder, deleting previous content. */
export const makeEmpty = (folder: string) =>
  lakeStep(`Make ${folder}`, async () => {
    await rm(folder, { recursive: true, force: true })
    await makeFolders(folder)
  })

/** Deletes files and folders recursively. A missing path is not an error. */
export const removeAll = (step: string, paths: ReadonlyArray<string>) =>
  lakeStep(step, () => Promise.all(paths.map((path) => rm(path, { recursive: true, force: true }))))

/** Flushes a file or folder to the disk, so that it survives a power cut. */
export const syncToDisk = (path: string) =>
  lakeStep(`Flush ${path}`, async () => {
    const handle = await open(path, "r")
    try {
      await handle.sync()
    } finally {
      await handle.close()
    }
  })

/** Renames a file and flushes its folder. Readers see either the old file or the new one. */
export const replace = (from: string, to: string) =>
  lakeStep(`Rename to ${to}`, async () => {
    await makeFolders(dirname(to))
    await rename(from, to)
  }).pipe(Effect.andThen(syncToDisk(dirname(to))))

/** Writes a text atomically: temporary file, flush, rename. */
export const writeWhole = (path: string, text: string, mode = 0o666) =>
  lakeStep(`Write ${path}`, async () => {
    await makeFolders(dirname(path))
    const handle = await open(`${path}.part`, "w", mode)
    try {
      await handle.writeFile(text)
      await handle.sync()
    } catch (cause) {
      await rm(`${path}.part`, { force: true })
      throw cause
    } finally {
      await handle.close()
    }
  }).pipe(Effect.andThen(replace(`${path}.part`, path)))

/** Reads a regular file of at most `maxBytes`. Fails with `EISDIR`, `EFBIG`, or `ENOTREG`; never blocks on a pipe. */
export const readRegular = async (path: string, maxBytes: number): Promise<Buffer> => {
  const handle = await open(path, constants.O_RDONLY | constants.O_NONBLOCK)
  try {
    const found = await handle.stat()
    const code = found.isDirectory() ? "EISDIR" : found.isFile() ? (found.size > maxBytes ? "EFBIG" : null) : "ENOTREG"
    if (code !== null) throw Object.assign(new Error(`${path} is not read`), { code })
    const { buffer, bytesRead } = await handle.read(Buffer.alloc(found.size), 0, found.size, 0)
    return buffer.subarray(0, bytesRead)
  } finally {
    await handle.close()
  }
}

/** Maximum size of a file that is read in one call, which takes a tenth of a stream's time. */
const maxBufferedBytes = 4 * 1024 * 1024

/** Returns the size and sha256 of a file, as documents record them. */
export const recordOfFile = (path: string) =>
  Effect.all({
    sizeBytes: lakeStep(`Check ${path}`, async () => (await stat(path)).size),
    sha256: Effect.suspend(() => fileSha256(path))
  })

/** Returns the sha256 of a file in lower-case hex. */
export const fileSha256 = (path: string) =>
  lakeStep(`Hash ${path}`, async () => {
    if ((await stat(path)).size <= maxBufferedBytes) return hash("sha256", await readFile(path), "hex")
    const sum = createHash("sha256")
    for await (const chunk of createReadStream(path, { highWaterMark: 1 << 20 })) sum.update(chunk)
    return sum.digest("hex")
  })

/** Creates an empty folder that only this user can access; deleted with the scope. */
export const privateFolder = Effect.acquireRelease(
  lakeStep("Make a temporary folder", () => mkdtemp(join(tmpdir(), "cardlake-"))),
  (folder) => Effect.promise(() => rm(folder, { recursive: true, force: true }))
)
