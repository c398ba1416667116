import { tmpdir } from "node:os"
import { Readable, Writable } from "node:stream"
import { callbackify } from "node:util"
import type { Disk as DiskService, Found, OpenFile, Processes } from "../../../src/feed/disk/Disk.ts"
import { type AnyNode, Disk, type FileNode } from "./Disk.ts"
import { systemError } from "./systemError.ts"
import type { Process, World } from "./World.ts"

/** Where processes of a world have the home. */
export const homeRoot = "/sim/home"

/** Milliseconds that an operation takes; DuckDB and the network take longer. */
const usualMillis = 2

const bytesOf = (content: string | Uint8Array): Buffer => Buffer.from(content as Uint8Array)

/** The disk and the path on it that a process means. */
export const locate = (world: World, process: Process, path: string): { disk: Disk; on: string } => {
  const isHome = path === homeRoot || path.startsWith(`${homeRoot}/`)
  if (!isHome && !path.startsWith(tmpdir())) throw new Error(`${path} is outside of the simulation`)
  const name = isHome ? "home" : `${process.host.name}/tmp`
  const known = world.disks.get(name)
  const on = isHome ? path.slice(homeRoot.length + 1) : path.slice(tmpdir().length + 1)
  if (known !== undefined) return { disk: known, on }
  const disk = new Disk(() => world.now)
  world.disks.set(name, disk)
  return { disk, on }
}

/** The state of a path as one process sees it: no two processes share what they have cached. */
export const describe = (node: AnyNode, process: Process): Found => ({
  kind: node.kind,
  sizeBytes: node.kind === "file" ? node.data.length : 4096,
  device: BigInt(process.pid),
  inode: BigInt(node.ino),
  modifiedNanos: BigInt(Math.floor(node.changedMillis)) * 1_000_000n + BigInt(node.version % 1_000_000),
  changedNanos: BigInt(node.version),
  owner: 0,
  permissions: 0o644
})

const nothingThere = (cause: unknown): null => {
  const { code } = cause as { readonly code?: string }
  if (code === "ENOENT" || code === "ENOTDIR") return null
  throw cause
}

/** The disk of a process in a world. */
export const simulatedDisk = (world: World, process: Process): DiskService => {
  const at = (path: string) => locate(world, process, path)
  const operate = <A>(kind: string, path: string, act: (disk: Disk, on: string) => A): Promise<A> =>
    world.operate(kind, path, usualMillis, () => {
      const { disk, on } = at(path)
      return act(disk, on)
    })
  const look: DiskService["look"] = (path) => {
    try {
      const { disk, on } = at(path)
      const node = disk.find(on)
      return node === null ? null : describe(node, process)
    } catch (cause) {
      return nothingThere(cause)
    }
  }
  const readNode = (path: string): Buffer => {
    const { disk, on } = at(path)
    return disk.file(on).data
  }
  const open = (disk: Disk, node: FileNode, path: string): OpenFile => {
    let end = 0
    const put = (content: string | Uint8Array, position?: number) => {
      const bytes = bytesOf(content)
      const from = position ?? end
      if (position === undefined) end += bytes.length
      const size = Math.max(node.data.length, from + bytes.length)
      const whole = Buffer.alloc(size)
      node.data.copy(whole)
      bytes.copy(whole, from)
      disk.write(node, whole)
    }
    return {
      write: (content, position) => world.operate("write", path, usualMillis, () => put(content, position)),
      appendNow: (text) => put(text, node.data.length),
      truncateNow: () => disk.write(node, Buffer.alloc(0)),
      read: (bytes, position) =>
        world.operate("read", path, usualMillis, () => Buffer.from(node.data.subarray(position, position + bytes))),
      look: () => describe(node, process),
      flush: () => world.operate("flush", path, usualMillis, () => disk.flush(node)),
      close: () => Promise.resolve()
    }
  }
  const openNode = (disk: Disk, on: string, how: "r" | "w" | "wx" | "a") => {
    const node = how === "r" ? disk.get(on) : disk.create(on, how === "wx")
    if (how === "w") disk.write(node as FileNode, Buffer.alloc(0))
    return node as FileNode
  }
  const makeParents = (path: string): void => {
    const { disk, on } = at(path)
    const names = on.split("/")
    for (let depth = 1; depth < names.length; depth++) {
      const folder = names.slice(0, depth).join("/")
      if (disk.find(folder) === null) disk.mkdir(folder)
    }
  }
  return {
    exists: (path) => look(path) !== null,
    look,
    realPath: (path) => path,
    readNow: (path) => Buffer.from(readNode(path)),
    namesNow: (path) => {
      const { disk, on } = at(path)
      return [...disk.folder(on).entries.keys()]
    },
    removeNow: (path) => {
      const { disk, on } = at(path)
      if (disk.find(on) !== null) disk.remove(on)
    },
    writeNow: (path, pieces, { exclusive = false } = {}) => {
      makeParents(path)
      const { disk, on } = at(path)
      disk.write(disk.create(on, exclusive), Buffer.concat(pieces.map(bytesOf)))
    },
    read: (path) => operate("read", path, (disk, on) => Buffer.from(disk.file(on).data)),
    readText: (path) => operate("read", path, (disk, on) => disk.file(on).data.toString("utf8")),
    write: (path, content, { exclusive = false, flush = false } = {}) =>
      operate("write", path, (disk, on) => {
        const node = disk.create(on, exclusive)
        disk.write(node, bytesOf(content))
        if (flush) disk.flush(node)
      }),
    append: (path, text, { flush = false } = {}) =>
      operate("write", path, (disk, on) => {
        const node = disk.create(on, false)
        disk.write(node, Buffer.concat([node.data, bytesOf(text)]))
        if (flush) disk.flush(node)
      }),
    open: (path, how) => operate("open", path, (disk, on) => open(disk, openNode(disk, on, how), path)),
    readStream: (path) => {
      const data = readNode(path)
      return Readable.from([data])
    },
    writeStream: (path) => {
      const parts: Array<Buffer> = []
      return new Writable({
        write: (chunk: Buffer, _, done) => {
          parts.push(chunk)
          done()
        },
        final: (done) => {
          const write = () =>
            operate("write", path, (disk, on) => disk.write(disk.create(on, false), Buffer.concat(parts)))
          callbackify(write)(done)
        }
      })
    },
    list: (folder) =>
      operate("list", folder, (disk, on) => [...disk.folder(on).entries].map(([name, { kind }]) => ({ name, kind }))),
    makeFolder: (path) => operate("mkdir", path, (disk, on) => disk.mkdir(on)),
    freeBytes: async () => Number.MAX_SAFE_INTEGER,
    makeUniqueFolder: (prefix) => {
      const path = `${prefix}${world.happened.toString(36)}`
      return operate("mkdir", path, (disk, on) => {
        disk.mkdir(on)
        return path
      })
    },
    rename: (from, to) =>
      operate("rename", `${from} ${to}`.split(" ")[1] ?? "", (disk, on) => disk.rename(at(from).on, on)),
    link: (from, to) => operate("link", to, (disk, on) => disk.link(at(from).on, on)),
    copy: (from, to, { exclusive = false } = {}) =>
      operate("copyFile", to, (disk, on) => {
        const { data } = at(from).disk.file(at(from).on)
        disk.write(disk.create(on, exclusive), data)
      }),
    remove: (path) => operate("remove", path, (disk, on) => (disk.find(on) === null ? undefined : disk.remove(on))),
    removeFile: (path) => operate("remove", path, (disk, on) => (disk.find(on) === null ? undefined : disk.remove(on))),
    removeEmptyFolder: (path) =>
      operate("remove", path, (disk, on) => {
        if (disk.folder(on).entries.size > 0) throw systemError("ENOTEMPTY", path)
        disk.remove(on)
      }),
    flush: (path) => operate("flush", path, (disk, on) => disk.flush(disk.get(on))),
    assertWritable: () => Promise.resolve(),
    touch: () => Promise.resolve()
  }
}

/** The processes that one of them sees: those of its own machine. */
export const simulatedProcesses = (world: World, process: Process): Processes => {
  const alive = (pid: number) =>
    world.processes.find((one) => one.pid === pid && one.host === process.host && one.state !== "dead")
  return {
    pid: process.pid,
    host: process.host.name,
    boot: () => process.host.bootId,
    startOf: (pid) => (alive(pid) === undefined ? "" : String(pid * 7)),
    isAlive: (pid) => alive(pid) !== undefined
  }
}
