import type { Random } from "./random.ts"
import { systemError } from "./systemError.ts"

interface Node {
  readonly ino: number
  changedMillis: number
  /** Grows with every write, so that no two look alike. */
  version: number
}

export interface FileNode extends Node {
  readonly kind: "file"
  data: Buffer
  /** The content that a power cut leaves for sure; null: not even that it exists. */
  flushed: Buffer | null
}

export interface FolderNode extends Node {
  readonly kind: "folder"
  entries: Map<string, AnyNode>
  /** The entries that a power cut leaves for sure. */
  flushed: Map<string, AnyNode>
}

export type AnyNode = FileNode | FolderNode

/** A change of one folder's entries; null: the name is free afterwards. */
interface Change {
  readonly folder: FolderNode
  readonly name: string
  readonly node: AnyNode | null
}

/**
 * A disk in memory with a durable frontier. What it promises is what journaling file systems promise: an operation on
 * folders is atomic, they become durable in their order, and flushing a folder makes all of them durable that came
 * before its last one. The content of a file is durable only after the file was flushed: until then a power cut leaves all of
 * it, some of it, zeros, or what was there before.
 */
export class Disk {
  readonly root: FolderNode
  readonly now: () => number
  /** Operations on folders that a power cut may lose, in their order. */
  #journal: Array<ReadonlyArray<Change>> = []
  #inodes = 2
  #versions = 0
  /** Bytes that fit. */
  room = Number.POSITIVE_INFINITY
  /** Set by the planted bug of a missing flush. */
  ignoresFlush = false

  constructor(now: () => number) {
    this.now = now
    this.root = this.#folder()
    this.root.flushed = this.root.entries
  }

  #touch<N extends Node>(node: N): N {
    node.changedMillis = this.now()
    node.version = ++this.#versions
    return node
  }

  #folder(): FolderNode {
    const fresh = { kind: "folder" as const, ino: this.#inodes++, changedMillis: 0, version: 0 }
    return this.#touch({ ...fresh, entries: new Map<string, AnyNode>(), flushed: new Map<string, AnyNode>() })
  }

  /** Returns what a path names; null: nothing. Fails with ENOTDIR below a file. */
  find(path: string): AnyNode | null {
    let node: AnyNode = this.root
    for (const name of namesOf(path)) {
      if (node.kind !== "folder") throw systemError("ENOTDIR", path)
      const below: AnyNode | undefined = node.entries.get(name)
      if (below === undefined) return null
      node = below
    }
    return node
  }

  get(path: string): AnyNode {
    return this.find(path) ?? fail("ENOENT", path)
  }

  file(path: string): FileNode {
    const node = this.get(path)
    return node.kind === "file" ? node : fail("EISDIR", path)
  }

  folder(path: string): FolderNode {
    const node = this.get(path)
    return node.kind === "folder" ? node : fail("ENOTDIR", path)
  }

  #place(path: string): { readonly folder: FolderNode; readonly name: string } {
    const name = namesOf(path).at(-1)
    const folder = path.slice(0, Math.max(0, path.lastIndexOf("/")))
    return name === undefined ? fail("EBUSY", path) : { folder: this.folder(folder), name }
  }

  #change(...changes: ReadonlyArray<Change>): void {
    for (const { folder, name, node } of changes) {
      if (node === null) folder.entries.delete(name)
      else folder.entries.set(name, node)
      this.#touch(folder)
    }
    this.#journal.push(changes)
  }

  mkdir(path: string): void {
    const { folder, name } = this.#place(path)
    if (folder.entries.has(name)) throw systemError("EEXIST", path)
    this.#change({ folder, name, node: this.#folder() })
  }

  /** Returns the file of a path, which is made if it is missing. */
  create(path: string, isExclusive: boolean): FileNode {
    const { folder, name } = this.#place(path)
    const there = folder.entries.get(name)
    if (there !== undefined && isExclusive) throw systemError("EEXIST", path)
    if (there?.kind === "folder") throw systemError("EISDIR", path)
    if (there !== undefined) return there
    const fresh = { kind: "file" as const, ino: this.#inodes++, changedMillis: 0, version: 0 }
    const node = this.#touch({ ...fresh, data: Buffer.alloc(0), flushed: null })
    this.#change({ folder, name, node })
    return node
  }

  write(node: FileNode, data: Buffer): void {
    node.data = data
    this.#touch(node)
  }

  link(from: string, to: string): void {
    const { folder, name } = this.#place(to)
    const node = this.get(from)
    if (folder.entries.has(name)) throw systemError("EEXIST", to)
    this.#change({ folder, name, node })
  }

  rename(from: string, to: string): void {
    const source = this.#place(from)
    const node = this.get(from)
    const target = this.#place(to)
    const there = target.folder.entries.get(target.name)
    if (there === node) return
    if (there?.kind === "folder" && (node.kind === "file" || there.entries.size > 0))
      throw systemError(node.kind === "file" ? "EISDIR" : "ENOTEMPTY", to)
    if (there?.kind === "file" && node.kind === "folder") throw systemError("ENOTDIR", to)
    this.#change({ ...source, node: null }, { ...target, node })
    this.#touch(node)
  }

  /** Removes a file, or a folder with everything below it, name by name. */
  remove(path: string): void {
    const node = this.find(path)
    if (node === null) throw systemError("ENOENT", path)
    if (node.kind === "folder") for (const name of node.entries.keys()) this.remove(`${path}/${name}`)
    const { folder, name } = this.#place(path)
    this.#change({ folder, name, node: null })
  }

  flush(node: AnyNode): void {
    if (node.kind === "file") {
      if (!this.ignoresFlush) node.flushed = node.data
      return
    }
    const last = this.#journal.findLastIndex((changes) => changes.some(({ folder }) => folder === node))
    this.#commit(last + 1)
  }

  #commit(count: number): void {
    for (const { folder, name, node } of this.#journal.splice(0, count).flat()) {
      if (node === null) folder.flushed.delete(name)
      else folder.flushed.set(name, node)
    }
  }

  /** Loses what was not flushed, or some of it. */
  losePower(random: Random): void {
    this.#commit(random.int(this.#journal.length + 1))
    this.#journal = []
    const seen = new Set<AnyNode>()
    const leave = (node: AnyNode): void => {
      if (seen.has(node)) return
      seen.add(node)
      if (node.kind === "file") {
        if (node.flushed !== node.data) this.write(node, survivorOf(node, random))
        node.flushed = node.data
        return
      }
      node.entries = new Map(node.flushed)
      for (const below of node.entries.values()) leave(below)
    }
    leave(this.root)
  }

  /** Returns the paths of all files below a folder. */
  files(path = ""): ReadonlyArray<string> {
    const node = this.find(path)
    if (node === null) return []
    if (node.kind === "file") return [path]
    return [...node.entries.keys()].sort().flatMap((name) => this.files(path === "" ? name : `${path}/${name}`))
  }
}

const fail = (code: string, path: string): never => {
  throw systemError(code, path)
}

const splitPaths = new Map<string, ReadonlyArray<string>>()

const namesOf = (path: string): ReadonlyArray<string> => {
  const known = splitPaths.get(path)
  if (known !== undefined) return known
  const names = path.split("/").filter((name) => name !== "" && name !== ".")
  if (splitPaths.size > 20_000) splitPaths.clear()
  splitPaths.set(path, names)
  return names
}

/** The content of a file after a power cut. */
const survivorOf = ({ data, flushed }: FileNode, random: Random): Buffer => {
  const before = flushed ?? Buffer.alloc(0)
  const length = random.int(data.length + 1)
  switch (random.int(4)) {
    case 0:
      return data
    case 1:
      return before
    case 2:
      return data.subarray(0, length)
    default:
      return Buffer.concat([data.subarray(0, length), Buffer.alloc(data.length - length)])
  }
}
