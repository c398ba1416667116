import * as fs from "node:fs"
import { dirname, join } from "node:path"
import { Disk } from "../../../src/feed/disk/Disk.ts"
import type { Random } from "../machine/random.ts"

/** A process of real nights. When it is killed, none of its operations is answered any more. */
export interface Mortal {
  isDead: boolean
  operations: number
  /** It is killed at this operation. */
  readonly diesAt: number
  /** Operations that the system has begun. It ends them, also if the process is killed meanwhile. */
  readonly begun: Set<Promise<unknown>>
  readonly die: () => void
}

/** An operation on folders that a power cut may undo. */
interface Entry {
  readonly folders: ReadonlyArray<string>
  readonly undo: () => void
}

/**
 * A real folder, with a log of what a power cut may undo: operations on folders, from the last one backwards to the last that a
 * flushed folder made durable, and the content of files that were not flushed since they were written, also by DuckDB.
 */
export const makeDurableFolder = (root: string, spare: string) => {
  let log: Array<Entry> = []
  let spares = 0
  const flushed = new Map<number, number>()
  const isHere = (path: string) => path.startsWith(root)
  const note = (folders: ReadonlyArray<string>, undo: () => void) => {
    log.push({ folders: folders.map((path) => dirname(path)), undo })
  }
  const keepSpare = (path: string): string | null => {
    if (!fs.existsSync(path)) return null
    const kept = join(spare, String(spares++))
    if (fs.statSync(path).isFile()) fs.linkSync(path, kept)
    else fs.cpSync(path, kept, { recursive: true })
    return kept
  }
  return {
    willCreate: (path: string): void => {
      if (isHere(path) && !fs.existsSync(path)) note([path], () => fs.rmSync(path, { recursive: true, force: true }))
    },
    willRename: (from: string, to: string): void => {
      if (!isHere(to)) return
      const kept = keepSpare(to)
      note([from, to], () => {
        if (fs.existsSync(to)) fs.renameSync(to, from)
        if (kept !== null) fs.renameSync(kept, to)
      })
    },
    willRemove: (path: string): void => {
      const kept = isHere(path) ? keepSpare(path) : null
      if (kept === null) return
      note([path], () => {
        // Folders that were created with their first file have no entry.
        fs.rmSync(path, { recursive: true, force: true })
        fs.renameSync(kept, path)
      })
    },
    flushed: (path: string): void => {
      const found = fs.statSync(path, { throwIfNoEntry: false })
      if (found?.isDirectory() === true) log = log.slice(log.findLastIndex(({ folders }) => folders.includes(path)) + 1)
      else if (found !== undefined) flushed.set(found.ino, found.mtimeMs)
    },
    losePower: (random: Random): void => {
      for (const { undo } of log.splice(random.int(log.length + 1)).toReversed()) undo()
      log = []
      for (const entry of fs.readdirSync(root, { recursive: true, withFileTypes: true })) {
        if (!entry.isFile()) continue
        const path = join(entry.parentPath, entry.name)
        const { ino, mtimeMs, size } = fs.statSync(path)
        if (flushed.get(ino) === mtimeMs || !random.chance(0.7)) continue
        fs.truncateSync(path, random.int(size + 1))
        // A machine takes more than a minute to start again. A torn lock of that age is dead.
        const before = mtimeMs / 1000 - 120
        fs.utimesSync(path, before, before)
      }
    }
  }
}

type DurableFolder = ReturnType<typeof makeDurableFolder>

const never = <A>(): Promise<A> => new Promise(() => {})

/** The machine's disk as a process sees it that may be killed. */
export const mortalDisk = (mortal: Mortal, folder: DurableFolder): Disk => {
  const disk = Disk.defaultValue()
  const operate = async <A>(before: () => void, act: () => Promise<A>): Promise<A> => {
    if (mortal.isDead) return await never()
    if (++mortal.operations === mortal.diesAt) {
      mortal.die()
      return await never()
    }
    before()
    const acting = act()
    mortal.begun.add(acting)
    const value = await acting.finally(() => mortal.begun.delete(acting))
    return mortal.isDead ? await never() : value
  }
  const nothing = () => {}
  return {
    ...disk,
    writeNow: (path, pieces, options) => {
      folder.willCreate(path)
      disk.writeNow(path, pieces, options)
    },
    removeNow: (path) => {
      folder.willRemove(path)
      disk.removeNow(path)
    },
    read: (path) => operate(nothing, () => disk.read(path)),
    readText: (path) => operate(nothing, () => disk.readText(path)),
    list: (path) => operate(nothing, () => disk.list(path)),
    write: (path, content, options) =>
      operate(
        () => folder.willCreate(path),
        async () => {
          await disk.write(path, content, options)
          if (options?.flush === true) folder.flushed(path)
        }
      ),
    append: (path, text, options) =>
      operate(
        () => folder.willCreate(path),
        () => disk.append(path, text, options)
      ),
    open: (path, how, mode) =>
      operate(
        () => folder.willCreate(path),
        async () => {
          const file = await disk.open(path, how, mode)
          const flush = async () => {
            await file.flush()
            folder.flushed(path)
          }
          return { ...file, flush: () => operate(nothing, flush) }
        }
      ),
    makeFolder: (path, mode) =>
      operate(
        () => folder.willCreate(path),
        () => disk.makeFolder(path, mode)
      ),
    rename: (from, to) =>
      operate(
        () => folder.willRename(from, to),
        () => disk.rename(from, to)
      ),
    link: (from, to) =>
      operate(
        () => folder.willCreate(to),
        () => disk.link(from, to)
      ),
    copy: (from, to, options) =>
      operate(
        () => folder.willCreate(to),
        () => disk.copy(from, to, options)
      ),
    remove: (path) =>
      operate(
        () => folder.willRemove(path),
        () => disk.remove(path)
      ),
    removeFile: (path) =>
      operate(
        () => folder.willRemove(path),
        () => disk.removeFile(path)
      ),
    flush: (path) =>
      operate(nothing, async () => {
        await disk.flush(path)
        folder.flushed(path)
      })
  }
}
