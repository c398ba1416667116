import { createHash, hash } from "node:crypto"
import { dirname, join, basename } from "node:path"
import { Effect, Schema } from "effect"
import { type Disk, diskHere, type Found, lookAt, Processes, withDisk } from "../../feed/disk/Disk.ts"
import { errorCode, makeFolders } from "../../feed/disk/makeFolders.ts"
import { lakeStep, privateName } from "../../feed/reading/LakeError.ts"
import { RemoteFiles, download } from "../../feed/reading/RemoteFiles.ts"
import { tmpdir } from "node:os"

/** Returns null for `catch` if the path does not exist, is a broken link, or has a file as a parent. */
export const whereNothingIs = (cause: unknown): null => {
  if (errorCode(cause) === "ENOENT" || errorCode(cause) === "ENOTDIR") return null
  throw cause
}

/** True if a path exists. Synchronous, because the generated SQL depends on it. */
export const isThere = (path: string): boolean => diskHere().exists(path)

/** Returns the sorted names in a folder; empty if the folder does not exist. */
export const namesIn = (folder: string) =>
  Effect.map(
    lakeStep(`List ${folder}`, (disk) => disk.list(folder).catch(whereNothingIs)),
    (found) => (found ?? []).map(({ name }) => name).sort()
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
  Effect.flatMap(RemoteFiles, (standIns) => lakeStep(`Measure ${path}`, (disk) => measured(disk, path, standIns)))

const measured = async (disk: Disk, path: string, standIns: RemoteFiles | null): Promise<number> => {
  const found = disk.look(path, "links")
  if (found?.kind !== "folder") return standIns?.sizeOf(path) ?? found?.sizeBytes ?? 0
  const inside = await Promise.all(
    (await disk.list(path)).map(({ name }) => measured(disk, join(path, name), standIns))
  )
  return inside.reduce((sum, bytes) => sum + bytes, 0)
}

/** Returns everything below a folder. Links are not followed. */
export const pathsBelow = async (
  disk: Disk,
  folder: string
): Promise<ReadonlyArray<Pick<Found, "kind"> & { readonly path: string }>> => {
  const below: Array<Pick<Found, "kind"> & { readonly path: string }> = []
  const folders = [folder]
  for (let at = folders.pop(); at !== undefined; at = folders.pop()) {
    // oxlint-disable-next-line no-await-in-loop -- one folder after the other, so that few are open
    for (const { kind, name } of await disk.list(at)) {
      const path = join(at, name)
      below.push({ kind, path })
      if (kind === "folder") folders.push(path)
    }
  }
  return below
}

/** Creates a folder and its parents; keeps an existing one. */
export const makeFolder = (folder: string) => lakeStep(`Make ${folder}`, (disk) => makeFolders(disk, folder))

/** Creates an empty folder, deleting previous content. */
export const makeEmpty = (folder: string) =>
  lakeStep(`Make ${folder}`, async (disk) => {
    await disk.remove(folder)
    await makeFolders(disk, folder)
  })

/** Deletes files and folders recursively. A missing path is not an error. */
export const removeAll = (step: string, paths: ReadonlyArray<string>) =>
  lakeStep(step, (disk) => Promise.all(paths.map(disk.remove)))

/** Flushes a file or folder to the disk, so that it survives a power cut. */
export const syncToDisk = (path: string) => lakeStep(`Flush ${path}`, (disk) => disk.flush(path))

/** Renames a file and flushes its folder. Readers see either the old file or the new one. */
export const replace = (from: string, to: string) =>
  lakeStep(`Rename to ${to}`, async (disk) => {
    await makeFolders(disk, dirname(to))
    await disk.rename(from, to)
  }).pipe(Effect.andThen(syncToDisk(dirname(to))))

/** Writes a text atomically: temporary file, flush, rename. */
export const writeWhole = (path: string, text: string, mode = 0o666) =>
  lakeStep(`Write ${path}`, async (disk) => {
    await makeFolders(disk, dirname(path))
    await disk.write(`${path}.part`, text, { mode, flush: true }).catch(async (cause: unknown) => {
      await disk.removeFile(`${path}.part`).catch(() => {})
      throw cause
    })
  }).pipe(Effect.andThen(replace(`${path}.part`, path)))

/** Reads a regular file of at most `maxBytes`. Fails with `EISDIR`, `EFBIG`, or `ENOTREG`; never blocks on a pipe. */
export const readRegular = async (disk: Disk, path: string, maxBytes: number): Promise<Buffer> => {
  const file = await disk.open(path, "r")
  try {
    const { kind, sizeBytes } = file.look()
    const code = kind === "folder" ? "EISDIR" : kind === "file" ? (sizeBytes > maxBytes ? "EFBIG" : null) : "ENOTREG"
    if (code !== null) throw Object.assign(new Error(`${path} is not read`), { code })
    return await file.read(sizeBytes, 0)
  } finally {
    await file.close()
  }
}

/** Maximum size of a file that is read in one call, which takes a tenth of a stream's time. */
const maxBufferedBytes = 4 * 1024 * 1024

export const fileSize = (path: string) => lakeStep(`Check ${path}`, async (disk) => lookAt(disk, path).sizeBytes)

/** Returns the size and sha256 of a file, as documents record them. */
export const recordOfFile = (path: string) =>
  Effect.all({ sizeBytes: fileSize(path), sha256: Effect.suspend(() => fileSha256(path)) })

/** Returns the sha256 of a file in lower-case hex. */
export const fileSha256 = (path: string) =>
  lakeStep(`Hash ${path}`, async (disk) => {
    if (lookAt(disk, path).sizeBytes <= maxBufferedBytes) return hash("sha256", await disk.read(path), "hex")
    const sum = createHash("sha256")
    for await (const chunk of disk.readStream(path, 1 << 20)) sum.update(chunk)
    return sum.digest("hex")
  })

/** Returns the start of the names of this machine's private folders. The id of their process follows. */
const privatePrefix = ({ boot, host }: Processes): string =>
  `${privateName}${hash("sha256", `${host} ${boot()}`, "hex").slice(0, 8)}-`

/** Deletes private folders of this machine whose processes have ended without deleting them. */
const removeDeadFolders = Effect.gen(function* () {
  const processes = yield* Processes
  const prefix = privatePrefix(processes)
  const dead = (yield* foldersIn(tmpdir(), prefix)).filter((name) => {
    const [, pid] = /^(\d+)-/.exec(name) ?? []
    return pid !== undefined && !processes.isAlive(Number(pid))
  })
  yield* removeAll(
    "Remove temporary folders of processes that ended",
    dead.map((name) => join(tmpdir(), `${prefix}${name}`))
  )
})

/** Creates an empty folder that only this user can access; deleted with the scope, or by a later process. */
export const privateFolder = Effect.acquireRelease(
  Effect.gen(function* () {
    yield* Effect.ignore(removeDeadFolders)
    const processes = yield* Processes
    const prefix = join(tmpdir(), `${privatePrefix(processes)}${processes.pid}-`)
    return yield* lakeStep("Make a temporary folder", (disk) => disk.makeUniqueFolder(prefix))
  }),
  (folder) => withDisk((disk) => disk.remove(folder))
)

/** A file of the home is missing, truncated, modified, or replaced. */
export class FileDamaged extends Schema.TaggedError<FileDamaged>()("FileDamaged", {
  file: Schema.String,
  /** Continues a sentence, e.g. `it is missing`. */
  what: Schema.String,
  /** The next step if a repair does not help; begins a sentence. */
  next: Schema.optional(Schema.String)
}) {
  override get message() {
    const repair = this.next === undefined ? ", or repair what can be repaired with: cardlake doctor --repair" : ""
    return `${this.afterRepair}${repair}`
  }

  /** The message without the advice to repair, for use after a repair. */
  get afterRepair() {
    return `${this.file} is damaged: ${this.what}. ${this.next ?? "Restore it from a backup"}`
  }
}

/** A file with its recorded size and its valid sha256 checksums. */
export interface FileOnRecord {
  readonly file: string
  /** Null if not recorded. */
  readonly sizeBytes: number | null
  /** More than one while a file is being replaced. */
  readonly sha256: ReadonlyArray<string>
}

/** Returns the Parquet files of tables in a folder, with the checksums that its document records. */
export const filesOnRecord = (
  folder: string,
  tables: Readonly<Record<string, { readonly sizeBytes: number; readonly sha256: string }>>
): ReadonlyArray<FileOnRecord> =>
  Object.entries(tables).map(([table, { sha256, sizeBytes }]) => ({
    file: join(folder, `${table}.parquet`),
    sizeBytes,
    sha256: [sha256]
  }))

/** Fails with {@link FileDamaged} if a file is missing, not a regular file, or of another size. Does not read it. */
export const verifySize = Effect.fnUntraced(function* ({ file, sizeBytes }: FileOnRecord) {
  const found = yield* lakeStep(`Check ${file}`, async (disk) => disk.look(file))
  if (found === null) return yield* new FileDamaged({ file, what: "it is missing" })
  if (found.kind !== "file") return yield* new FileDamaged({ file, what: "it is not a file" })
  const size = (yield* RemoteFiles)?.sizeOf(file) ?? found.sizeBytes
  if (sizeBytes !== null && size !== sizeBytes) {
    return yield* new FileDamaged({ file, what: `it has ${size} bytes instead of ${sizeBytes}` })
  }
})

/** Fails with {@link FileDamaged} if a file's content does not match its record. */
export const verifyFile = Effect.fnUntraced(function* (one: FileOnRecord) {
  yield* download(one.file)
  yield* verifySize(one)
  if (!one.sha256.includes(yield* fileSha256(one.file))) {
    return yield* new FileDamaged({ file: one.file, what: "its sha256 has changed since it was written" })
  }
})

/** Verifies a file; for a remote file, compares the remote record without downloading it. */
export const verifyKept = Effect.fnUntraced(function* (one: FileOnRecord) {
  const sum = (yield* RemoteFiles)?.sumOf(one.file) ?? null
  if (sum === null || !one.sha256.includes(sum)) yield* verifyFile(one)
})

/** Returns the path of a file's checksums, in the format of `sha256sum`. */
export const sumsFile = (file: string): string => `${file}.sha256`

/** Returns the checksums beside a file; empty if there are none. */
export const readSums = Effect.fnUntraced(function* (file: string) {
  const sums = sumsFile(file)
  yield* download(sums)
  const text = yield* lakeStep(`Read ${sums}`, (disk) => disk.readText(sums).catch(whereNothingIs))
  const found = [...(text ?? "").matchAll(/^[0-9a-f]{64}/gm)].map(([sum]) => sum)
  if (text !== null && found.length === 0) return yield* new FileDamaged({ file: sums, what: "it has no checksum" })
  return found
})

export const writeSums = (file: string, sums: ReadonlyArray<string>) =>
  writeWhole(sumsFile(file), sums.map((sum) => `${sum}  ${basename(file)}\n`).join(""))

/**
 * Replaces a file and its checksums in `<file>.sha256`. Both the old and the new checksum are listed in between, so
 * that the file never counts as damaged.
 */
export const replaceSummed = Effect.fn("replaceSummed")(function* (from: string, file: string) {
  yield* syncToDisk(from)
  const sum = yield* fileSha256(from)
  if (isThere(file)) {
    const sums = yield* readSums(file)
    yield* writeSums(file, [...(sums.length > 0 ? sums : [yield* fileSha256(file)]), sum])
  }
  yield* replace(from, file)
  yield* writeSums(file, [sum])
})

/** Fails with `FileDamaged` if a file matches none of the checksums beside it. A file without checksums passes. */
export const verifySummed = Effect.fnUntraced(function* (file: string) {
  const sha256 = yield* readSums(file)
  if (sha256.length > 0) yield* verifyFile({ file, sizeBytes: null, sha256 })
})
