import * as fs from "node:fs"
import * as files from "node:fs/promises"
import { hostname } from "node:os"
import { dirname } from "node:path"
import { promisify } from "node:util"
import type { Readable, Writable } from "node:stream"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"

// Every access to files goes through the `Disk` of the running fiber, and every question about processes through its
// `Processes`. Elapsed time is the Clock's, random numbers are the Random's of Effect. A test can replace all four for
// a fiber and its children: `Effect.provideService(Disk, …)`.
//
// - Steps get the disk as a parameter: `lakeStep("Read x", (disk) => disk.read(path))`, or `onDisk` with another error.
//   A step that awaits uses its parameter only.
// - A function that is called synchronously from a fiber may use `diskHere()`, e.g. to generate SQL.
// - A failure is an `Error` with Node's `code` and message, because messages to the user quote it.
// - A disk is a plain object: no method depends on `this`, so that a spread copy works, too.
// - A write, a rename, a link and a deletion survive a power cut only after `flush` of the file or folder.
//   DuckDB opens paths itself; what it wrote is durable after `flush(path)`, too.

export interface Found {
  readonly kind: "file" | "folder" | "link" | "other"
  readonly sizeBytes: number
  /** Together they identify a file while it exists. */
  readonly device: bigint
  readonly inode: bigint
  readonly modifiedNanos: bigint
  readonly owner: number
  readonly permissions: number
  /** Also changes with a rename, link or change of permissions. */
  readonly changedNanos: bigint
}

export const modifiedMillis = ({ modifiedNanos }: Found): number => Number(modifiedNanos) / 1e6

/** An open file. It remains the same file after a rename. */
export interface OpenFile {
  /** Writes all content, at `position` or at the end of this handle's writes. */
  readonly write: (content: string | Uint8Array, position?: number) => Promise<void>
  /** Appends the complete text before it returns. */
  readonly appendNow: (text: string) => void
  readonly truncateNow: () => void
  /** Returns at most this many bytes; fewer at the end of the file. */
  readonly read: (bytes: number, position: number) => Promise<Buffer>
  readonly look: () => Found
  readonly flush: () => Promise<void>
  readonly close: () => Promise<void>
}

export interface WriteOptions {
  /** Permissions of a new file, before the umask; default 0o666. */
  readonly mode?: number
  /** Flushes the file, but not its folder. */
  readonly flush?: boolean
  /** Fails with `EEXIST` if the path exists. */
  readonly exclusive?: boolean
}

/** Files and folders. Methods that return no promise are synchronous. */
export interface Disk {
  /** True if a path exists and is no broken link. */
  readonly exists: (path: string) => boolean
  /** Null if the path does not exist, or has a file as a parent. `links`: describes a link itself. */
  readonly look: (path: string, what?: "links") => Found | null
  /** Returns the path without links. Fails if it does not exist. */
  readonly realPath: (path: string) => string
  readonly readNow: (path: string) => Buffer
  /** Returns the names in a folder synchronously, in no order. */
  readonly namesNow: (folder: string) => ReadonlyArray<string>
  /** Writes pieces to a file synchronously, after it created the folders above it. */
  readonly writeNow: (
    path: string,
    pieces: ReadonlyArray<Uint8Array>,
    options?: Pick<WriteOptions, "exclusive">
  ) => void
  /** Deletes a file synchronously. A missing one is not an error. */
  readonly removeNow: (path: string) => void
  readonly read: (path: string) => Promise<Buffer>
  readonly readText: (path: string) => Promise<string>
  /** Replaces the content in place; not atomic. */
  readonly write: (path: string, content: string | Uint8Array, options?: WriteOptions) => Promise<void>
  readonly append: (path: string, text: string, options?: Pick<WriteOptions, "flush">) => Promise<void>
  /** Opens a file: to read, to replace, to create (`wx`), or to append. Never waits for a pipe's writer. */
  readonly open: (path: string, flags: "r" | "w" | "wx" | "a", mode?: number) => Promise<OpenFile>
  /** Streams a large file with Node's stream. */
  readonly readStream: (path: string, pieceBytes?: number) => Readable
  readonly writeStream: (path: string) => Writable
  /** Returns the entries of a folder, in no order. A link is not followed. */
  readonly list: (folder: string) => Promise<ReadonlyArray<Pick<Found, "kind"> & { readonly name: string }>>
  /** Creates a folder; its parent must exist. Fails with `EEXIST`. */
  readonly makeFolder: (path: string, mode?: number) => Promise<void>
  /** Creates a folder whose name begins with `prefix`, for this user alone, and returns its path. */
  readonly makeUniqueFolder: (prefix: string) => Promise<string>
  /** Renames a file or folder. Atomic; replaces a file. */
  readonly rename: (from: string, to: string) => Promise<void>
  /** Creates a hard link. Atomic; fails with `EEXIST`. */
  readonly link: (from: string, to: string) => Promise<void>
  /** Copies a file, sharing its blocks where the file system can. `exclusive`: fails with `EEXIST`. */
  readonly copy: (from: string, to: string, options?: Pick<WriteOptions, "exclusive">) => Promise<void>
  /** Deletes a file or a folder with its content. A missing path is not an error. */
  readonly remove: (path: string) => Promise<void>
  /** Deletes a file, never a folder. A missing path is not an error. */
  readonly removeFile: (path: string) => Promise<void>
  /** Deletes an empty folder; fails on any other. */
  readonly removeEmptyFolder: (path: string) => Promise<void>
  /** Flushes a file or folder to the disk, so that it survives a power cut. */
  readonly flush: (path: string) => Promise<void>
  /** Returns the bytes that this user may still write below a folder. */
  readonly freeBytes: (folder: string) => Promise<number>
  /** Fails unless this user may create files in a folder. */
  readonly assertWritable: (folder: string) => Promise<void>
  readonly touch: (path: string, at: Date) => Promise<void>
}

const fileKind = (one: fs.Dirent | fs.BigIntStats): Found["kind"] =>
  one.isFile() ? "file" : one.isDirectory() ? "folder" : one.isSymbolicLink() ? "link" : "other"

const found = (stats: fs.BigIntStats): Found => ({
  kind: fileKind(stats),
  sizeBytes: Number(stats.size),
  device: stats.dev,
  inode: stats.ino,
  modifiedNanos: stats.mtimeNs,
  owner: Number(stats.uid),
  permissions: Number(stats.mode) & 0o777,
  changedNanos: stats.ctimeNs
})

const opened = (handle: files.FileHandle): OpenFile => ({
  write: async (content, position) => {
    if (position === undefined) return await handle.writeFile(content)
    const bytes = Buffer.from(content)
    await handle.write(bytes, 0, bytes.length, position)
  },
  appendNow: (text) => void fs.writeSync(handle.fd, text),
  truncateNow: () => fs.ftruncateSync(handle.fd, 0),
  read: async (bytes, position) => {
    const { buffer, bytesRead } = await handle.read(Buffer.alloc(bytes), 0, bytes, position)
    return buffer.subarray(0, bytesRead)
  },
  look: () => found(fs.fstatSync(handle.fd, { bigint: true })),
  flush: () => handle.sync(),
  close: () => handle.close()
})

const flags = { r: fs.constants.O_RDONLY | fs.constants.O_NONBLOCK, w: "w", wx: "wx+", a: "a" }

const writeFile = promisify(fs.writeFile)

/** One call of `writev` takes at most 1024 pieces. */
const maxPieces = 512

const nodeDisk: Disk = {
  exists: (path) => fs.existsSync(path),
  look: (path, what) => {
    const options = { bigint: true, throwIfNoEntry: false } as const
    const stats = what === "links" ? fs.lstatSync(path, options) : fs.statSync(path, options)
    return stats === undefined ? null : found(stats)
  },
  realPath: (path) => fs.realpathSync(path),
  readNow: (path) => fs.readFileSync(path),
  namesNow: (folder) => fs.readdirSync(folder),
  writeNow: (path, pieces, { exclusive = false } = {}) => {
    fs.mkdirSync(dirname(path), { recursive: true })
    const fd = fs.openSync(path, exclusive ? "wx" : "w")
    try {
      for (let at = 0; at < pieces.length; at += maxPieces) fs.writevSync(fd, pieces.slice(at, at + maxPieces))
    } finally {
      fs.closeSync(fd)
    }
  },
  removeNow: (path) => fs.rmSync(path, { force: true }),
  read: (path) => files.readFile(path),
  readText: (path) => files.readFile(path, "utf8"),
  write: async (path, content, { exclusive = false, flush = false, mode = 0o666 } = {}) => {
    const flag = exclusive ? "wx" : "w"
    // The promise of `node:fs/promises` takes more time, and a night writes thousands of pages.
    if (!flush) return await writeFile(path, content, { flag, mode })
    const handle = await files.open(path, flag, mode)
    try {
      await handle.writeFile(content)
      await handle.sync()
    } finally {
      await handle.close()
    }
  },
  append: (path, text, { flush = false } = {}) => files.appendFile(path, text, { flush }),
  open: async (path, how, mode) => opened(await files.open(path, flags[how], mode)),
  readStream: (path, pieceBytes) =>
    fs.createReadStream(path, pieceBytes === undefined ? {} : { highWaterMark: pieceBytes }),
  writeStream: (path) => fs.createWriteStream(path),
  list: async (folder) =>
    (await files.readdir(folder, { withFileTypes: true })).map((one) => ({ name: one.name, kind: fileKind(one) })),
  makeFolder: (path, mode) => files.mkdir(path, mode),
  makeUniqueFolder: (prefix) => files.mkdtemp(prefix),
  rename: (from, to) => files.rename(from, to),
  link: (from, to) => files.link(from, to),
  copy: (from, to, { exclusive = false } = {}) =>
    files.copyFile(from, to, fs.constants.COPYFILE_FICLONE | (exclusive ? fs.constants.COPYFILE_EXCL : 0)),
  remove: (path) => files.rm(path, { recursive: true, force: true }),
  removeFile: (path) => files.rm(path, { force: true }),
  removeEmptyFolder: (path) => files.rmdir(path),
  flush: async (path) => {
    const handle = await files.open(path, "r")
    try {
      await handle.sync()
    } finally {
      await handle.close()
    }
  },
  freeBytes: async (folder) => {
    const { bavail, bsize } = await files.statfs(folder)
    return bavail * bsize
  },
  assertWritable: (folder) => files.access(folder, fs.constants.W_OK | fs.constants.X_OK),
  touch: (path, at) => files.utimes(path, at, at)
}

const textOrEmpty = (read: () => string): string => {
  try {
    return read().trim()
  } catch {
    return ""
  }
}

/** The disk of a fiber; default: the machine's. */
export const Disk = Context.Reference<Disk>("cardlake/disk/Disk", { defaultValue: () => nodeDisk })

export interface Processes {
  readonly pid: number
  readonly host: string
  /** Boot and process namespace. A pid can only be checked in the same one. Empty if unknown. */
  readonly boot: () => string
  /** Start of a process as the system reports it, to detect a reused pid. Empty if unknown. */
  readonly startOf: (pid: number) => string
  readonly isAlive: (pid: number) => boolean
}

/** The processes of this machine, by `/proc` where there is one. */
const nodeProcesses: Processes = {
  pid: process.pid,
  host: hostname(),
  boot: () =>
    [
      textOrEmpty(() => fs.readFileSync("/proc/sys/kernel/random/boot_id", "utf8")),
      textOrEmpty(() => fs.readlinkSync("/proc/self/ns/pid"))
    ].join(" "),
  // Field 22 of `/proc/<pid>/stat`; the second field may contain spaces and brackets.
  startOf: (pid) =>
    textOrEmpty(() => {
      const stat = fs.readFileSync(`/proc/${pid}/stat`, "utf8")
      return stat.slice(stat.lastIndexOf(")") + 2).split(" ")[19] ?? ""
    }),
  isAlive: (pid) => {
    try {
      process.kill(pid, 0)
      return true
    } catch (cause) {
      // EPERM: another user's process is alive.
      return cause instanceof Error && "code" in cause && cause.code === "EPERM"
    }
  }
}

/** The processes that a fiber sees; default: the machine's. */
export const Processes = Context.Reference<Processes>("cardlake/disk/Processes", { defaultValue: () => nodeProcesses })

/** Returns the state of a path that must exist. Fails with `ENOENT`. */
export const lookAt = (disk: Disk, path: string, what?: "links"): Found => {
  const found = disk.look(path, what)
  if (found === null)
    throw Object.assign(new Error(`ENOENT: no such file or directory, stat '${path}'`), { code: "ENOENT" })
  return found
}

export const onDisk = <A, E>(run: (disk: Disk) => Promise<A>, onError: (cause: unknown) => E): Effect.Effect<A, E> =>
  Effect.flatMap(Disk, (disk) => Effect.tryPromise({ try: () => run(disk), catch: onError }))

/** Runs a step whose failure is a defect. */
export const withDisk = <A>(run: (disk: Disk) => Promise<A>): Effect.Effect<A> =>
  Effect.flatMap(Disk, (disk) => Effect.promise(() => run(disk)))

/** Returns the disk of the fiber that runs now; outside of fibers, e.g. in a thread that parses pages, the machine's. */
export const diskHere = (): Disk => Fiber.getCurrent()?.getRef(Disk) ?? nodeDisk
