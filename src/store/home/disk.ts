import { createHash, hash } from "node:crypto"
import { constants, createReadStream, existsSync } from "node:fs"
import { lstat, mkdir, open, readdir, readFile, rename, rm, stat, mkdtemp } from "node:fs/promises"
import { dirname, join } from "node:path"
import { Effect } from "effect"
import { lakeStep } from "../../feed/reading/LakeError.ts"
import { StandIns } from "../../feed/reading/StandIns.ts"
import { tmpdir } from "node:os"

/** The system's code of a fault, such as `ENOENT`; empty if it has none. */
export const codeOf = (cause: unknown): string =>
  cause instanceof Error && "code" in cause && typeof cause.code === "string" ? cause.code : ""

/** For `catch`: nothing is there, or a link to nothing, or a file where a folder should be. */
export const whereNothingIs = (cause: unknown): null => {
  if (codeOf(cause) === "ENOENT" || codeOf(cause) === "ENOTDIR") return null
  throw cause
}

/** Whether a file or folder is there. Checked at once, not as an effect, because SQL depends on it. */
export const isThere = (path: string): boolean => existsSync(path)

/** The names in a folder, sorted; none if it is not there or not a folder. */
export const namesIn = (folder: string) =>
  Effect.map(
    lakeStep(`List ${folder}`, () => readdir(folder).catch(whereNothingIs)),
    (names) => (names ?? []).sort()
  )

/** What follows a prefix in the names of a folder, sorted; none if the folder is not there. */
export const foldersIn = (folder: string, prefix: string) =>
  Effect.map(namesIn(folder), (names) =>
    names
      .filter((name) => name.startsWith(prefix))
      .map((name) => name.slice(prefix.length))
      .filter((name) => !/^\.{1,2}$|\\/.test(name))
  )

/** Bytes of a file, or of all files below a folder; 0 if there is none. Files that are elsewhere count. */
export const bytesOf = (path: string) =>
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

/** Makes a folder and those above it; one that is there stays as it is. */
export const makeFolder = (folder: string) => lakeStep(`Make ${folder}`, () => makeFolders(folder))

/** Makes a folder without what was in it. */
export const makeEmpty = (folder: string) =>
  lakeStep(`Make ${folder}`, async () => {
    await rm(folder, { recursive: true, force: true })
    await makeFolders(folder)
  })

/** Removes files, and folders with all that is in them. A missing one is not a fault. */
export const removeAll = (step: string, paths: ReadonlyArray<string>) =>
  lakeStep(step, () => Promise.all(paths.map((path) => rm(path, { recursive: true, force: true }))))

/** Flushes a file or folder to the disk: after that, a power cut loses nothing of it. */
export const syncToDisk = (path: string) =>
  lakeStep(`Flush ${path}`, async () => {
    const handle = await open(path, "r")
    try {
      await handle.sync()
    } finally {
      await handle.close()
    }
  })

/** Renames and flushes the folder: a reader sees the old file or the new one, never half of one. */
export const replace = (from: string, to: string) =>
  lakeStep(`Rename to ${to}`, async () => {
    await makeFolders(dirname(to))
    await rename(from, to)
  }).pipe(Effect.andThen(syncToDisk(dirname(to))))

/** Writes a text whole: temporary file, flush, rename. */
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

/**
 * A regular file as a whole: measured before it is read, and never waited for, as a pipe is. Fails with `EISDIR`,
 * `ENOTREG` for anything else that is no file, or `EFBIG`.
 */
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

/** Up to this size a file is read at once, which takes a tenth of the time of a stream. */
const readAtOnceBytes = 4 * 1024 * 1024

/** Size and sum of a file, as a document has them on record. */
export const recordOfFile = (path: string) =>
  Effect.all({
    sizeBytes: lakeStep(`Look at ${path}`, async () => (await stat(path)).size),
    sha256: Effect.suspend(() => fileSha256(path))
  })

/** sha256 of a file, lower-case hex. */
export const fileSha256 = (path: string) =>
  lakeStep(`Hash ${path}`, async () => {
    if ((await stat(path)).size <= readAtOnceBytes) return hash("sha256", await readFile(path), "hex")
    const sum = createHash("sha256")
    for await (const chunk of createReadStream(path, { highWaterMark: 1 << 20 })) sum.update(chunk)
    return sum.digest("hex")
  })

/** An empty folder that nobody else may read or write, removed with the scope. */
export const privateFolder = Effect.acquireRelease(
  lakeStep("Make a temporary folder", () => mkdtemp(join(tmpdir(), "cardlake-"))),
  (folder) => Effect.promise(() => rm(folder, { recursive: true, force: true }))
)
