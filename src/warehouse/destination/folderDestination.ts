import { dirname, join, resolve } from "node:path"
import { Clock, Effect } from "effect"
import { type Disk, modifiedMillis, onDisk, withDisk } from "../../feed/disk/Disk.ts"
import { randomUuid } from "../../feed/disk/random.ts"
import { whereNothingIs } from "../../store/home/disk.ts"
import { errorCode, foldersMissing, makeFolders } from "../../feed/disk/makeFolders.ts"
import { type Destination, DestinationFailed, stepAfter } from "./Destination.ts"
import { joinBelow } from "../../feed/guard/joinBelow.ts"

/** The folder for files that are not yet at their final path. */
export const stagingFolder = "_staging"
/** The file that marks a stage of Cardlake, written as soon as the stage is created. */
const stageMark = "cardlake-stage"
const markText = "Temporary files of a running export. A later export deletes this folder if that one was killed.\n"

const isText = (name: string): boolean => /^text-[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/.test(name)

/** True if a path belongs to the stage of an export, which may be running. `paths` are all existing paths. */
export const isStaged = (path: string, paths: ReadonlyArray<string>): boolean => {
  const [first, name = "", ...more] = path.split("/")
  if (first !== stagingFolder) return false
  return more.length === 0 ? isText(name) : paths.includes(`${stagingFolder}/${name}/${stageMark}`)
}

/** The maximum duration of an export; an older stage belongs to a killed one. */
const maxExportMillis = 2 * 24 * 3600 * 1000

const isOurs = async (disk: Disk, path: string, name: string): Promise<boolean> =>
  isText(name) ||
  (/^export-\w{6}$/.test(name) && (await disk.readText(join(path, stageMark)).catch(() => null)) === markText)

/** Removes the stages of killed exports; folders without the mark are kept. */
const sweep = async (disk: Disk, staging: string, now: number): Promise<void> => {
  for (const { name } of await disk.list(staging)) {
    const path = join(staging, name)
    const found = disk.look(path, "links")
    if (found === null || now - modifiedMillis(found) <= maxExportMillis) continue
    // oxlint-disable-next-line no-await-in-loop -- rarely more than one
    if (await isOurs(disk, path, name)) await disk.remove(path)
  }
}

/** Creates a stage, an empty folder except for its mark. */
export const makeStage = async (disk: Disk, staging: string, now: number): Promise<string> => {
  await makeFolders(disk, staging)
  await sweep(disk, staging, now)
  const stage = await disk.makeUniqueFolder(join(staging, "export-"))
  await disk.write(join(stage, stageMark), markText)
  return stage
}

const step = <A>(what: string, run: (disk: Disk) => Promise<A>): Effect.Effect<A, DestinationFailed> =>
  onDisk(run, (cause) => {
    const reason = cause instanceof Error ? cause.message : String(cause)
    return new DestinationFailed({ step: what, reason, next: stepAfter(reason) })
  })

/** Errors of file systems without hard links, such as exFAT or a network share. */
const linkless = new Set(["EPERM", "ENOTSUP", "EOPNOTSUPP", "ENOSYS"])

/**
 * Fails if the path exists, unlike a rename. Without hard links it copies, which fails the same way; then a reader may
 * see a part of the file, and a killed export may leave one.
 */
const putNew = async (disk: Disk, from: string, to: string): Promise<void> => {
  try {
    await disk.link(from, to)
  } catch (cause) {
    if (!linkless.has(errorCode(cause))) throw cause
    await disk.copy(from, to, { exclusive: true })
    await disk.flush(to)
  }
}

/** Returns the paths of all files and empty folders below a folder; it follows no links. */
const pathsBelow = async (disk: Disk, root: string, path: string): Promise<ReadonlyArray<string>> => {
  const found = await disk.list(join(root, path)).catch(whereNothingIs)
  if (found?.length === 0 && path !== "") return [`${path}/`]
  const paths: Array<string> = []
  for (const one of found ?? []) {
    const at = path === "" ? one.name : `${path}/${one.name}`
    // oxlint-disable-next-line no-await-in-loop -- one folder after the other, so that few are open
    if (one.kind === "folder") paths.push(...(await pathsBelow(disk, root, at)))
    else paths.push(at)
  }
  return paths
}

/** Removes empty folders, from this one up to the root. */
const removeEmpty = async (disk: Disk, root: string, folder: string): Promise<void> => {
  for (let at = folder; at.length > root.length; at = dirname(at)) {
    try {
      // oxlint-disable-next-line no-await-in-loop -- from the inside out
      await disk.removeEmptyFolder(at)
    } catch {
      return
    }
  }
}

/** Writes a text to a staged file for `use`, and removes it afterwards. */
const stagedText = async <A>(
  disk: Disk,
  staged: string,
  text: string,
  use: (staged: string) => Promise<A>
): Promise<A> => {
  await makeFolders(disk, dirname(staged))
  try {
    await disk.write(staged, text)
    return await use(staged)
  } finally {
    await disk.removeFile(staged)
  }
}

/** A folder as a destination: files are staged in it, flushed and renamed. */
export const folderDestination = (address: string): Destination => {
  const root = resolve(address)
  const staging = join(root, stagingFolder)
  const at = (path: string): string => (path === "" ? root : joinBelow(root, path))
  const place = async (disk: Disk, from: string, path: string, put: typeof putNew): Promise<void> => {
    const to = at(path)
    await disk.flush(from)
    const missing = foldersMissing(disk, dirname(to))
    await makeFolders(disk, dirname(to))
    await put(disk, from, to)
    const last = dirname(missing[0] ?? to)
    // oxlint-disable-next-line no-await-in-loop -- from the file up, so that no folder is flushed before its content
    for (let folder = dirname(to); folder.length >= last.length; folder = dirname(folder)) await disk.flush(folder)
  }
  const move = (disk: Disk, from: string, path: string) =>
    place(disk, from, path, ({ rename }, ...names) => rename(...names))
  const add = (disk: Disk, from: string, path: string) =>
    place(disk, from, path, putNew).then(
      () => true,
      (cause: unknown) => {
        if (errorCode(cause) === "EEXIST") return false
        throw cause
      }
    )
  const withText = <A>(path: string, text: string, use: (disk: Disk, staged: string, path: string) => Promise<A>) =>
    Effect.flatMap(randomUuid, (id) =>
      step(`Write ${root}/${path}`, (disk) =>
        stagedText(disk, join(staging, `text-${id}`), text, (staged) => use(disk, staged, path))
      )
    )
  const stage = Effect.flatMap(Clock.currentTimeMillis, (now) =>
    Effect.acquireRelease(
      step(`Create ${staging}`, (disk) => makeStage(disk, staging, now)),
      (folder) => withDisk((disk) => disk.remove(folder))
    )
  )
  return {
    address,
    root,
    urlOf: (path) => path.slice(path.lastIndexOf("/") + 1),
    stage,
    put: (path, staged) => step(`Write ${root}/${path}`, (disk) => move(disk, staged, path)),
    write: (path, text) => withText(path, text, move),
    create: (path, text) => withText(path, text, add),
    remove: (path) =>
      step(`Remove ${root}/${path}`, async (disk) => {
        await disk.removeFile(at(path))
        await removeEmpty(disk, root, dirname(at(path)))
      }),
    read: (path) => step(`Read ${root}/${path}`, async (disk) => await disk.readText(at(path)).catch(whereNothingIs)),
    folders: (path) =>
      step(`List ${root}/${path}`, async (disk) => {
        const found = await disk.list(at(path)).catch(whereNothingIs)
        return (found ?? []).flatMap((one) => (one.kind === "folder" ? [one.name] : []))
      }),
    list: (path) => step(`List ${root}/${path}`, async (disk) => await pathsBelow(disk, root, path)),
    fetch: (path) => step(`Read ${root}/${path}`, async (disk) => (disk.exists(at(path)) ? at(path) : null))
  }
}
