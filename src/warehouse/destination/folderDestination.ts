import { randomUUID } from "node:crypto"
import { constants, existsSync } from "node:fs"
import {
  copyFile,
  link,
  mkdir,
  open,
  readdir,
  readFile,
  rename,
  rm,
  rmdir,
  writeFile,
  lstat,
  mkdtemp
} from "node:fs/promises"
import { dirname, join, resolve } from "node:path"
import { Clock, Effect } from "effect"
import { codeOf, makeFolders, whereNothingIs } from "../../store/home/disk.ts"
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

const isOurs = async (path: string, name: string): Promise<boolean> =>
  isText(name) ||
  (/^export-\w{6}$/.test(name) && (await readFile(join(path, stageMark), "utf8").catch(() => null)) === markText)

/** Removes the stages of killed exports; folders without the mark are kept. */
const sweep = async (staging: string, now: number): Promise<void> => {
  for (const name of await readdir(staging)) {
    const path = join(staging, name)
    // oxlint-disable-next-line no-await-in-loop -- rarely more than one
    const found = await lstat(path).catch(whereNothingIs)
    if (found === null || now - found.mtimeMs <= maxExportMillis) continue
    // oxlint-disable-next-line no-await-in-loop
    if (await isOurs(path, name)) await rm(path, { recursive: true, force: true })
  }
}

/** Creates a stage, an empty folder except for its mark. */
export const makeStage = async (staging: string, now: number): Promise<string> => {
  await makeFolders(staging)
  await sweep(staging, now)
  const stage = await mkdtemp(join(staging, "export-"))
  await writeFile(join(stage, stageMark), markText)
  return stage
}

const step = <A>(what: string, run: () => Promise<A>): Effect.Effect<A, DestinationFailed> =>
  Effect.tryPromise({
    try: run,
    catch: (cause) => {
      const reason = cause instanceof Error ? cause.message : String(cause)
      return new DestinationFailed({ step: what, reason, next: stepAfter(reason) })
    }
  })

const flush = async (path: string): Promise<void> => {
  const handle = await open(path, "r")
  try {
    await handle.sync()
  } finally {
    await handle.close()
  }
}

/** Errors of file systems without hard links, such as exFAT or a network share. */
const linkless = new Set(["EPERM", "ENOTSUP", "EOPNOTSUPP", "ENOSYS"])

/**
 * Fails if the path exists, unlike a rename. Without hard links it copies, which fails the same way; then a reader may
 * see a part of the file, and a killed export may leave one.
 */
const putNew = async (from: string, to: string): Promise<void> => {
  try {
    await link(from, to)
  } catch (cause) {
    if (!linkless.has(codeOf(cause))) throw cause
    await copyFile(from, to, constants.COPYFILE_EXCL)
    await flush(to)
  }
}

/** Returns the paths of all files and empty folders below a folder; it follows no links. */
const pathsBelow = async (root: string, path: string): Promise<ReadonlyArray<string>> => {
  const found = await readdir(join(root, path), { withFileTypes: true }).catch(whereNothingIs)
  if (found?.length === 0 && path !== "") return [`${path}/`]
  const paths: Array<string> = []
  for (const one of found ?? []) {
    const at = path === "" ? one.name : `${path}/${one.name}`
    // oxlint-disable-next-line no-await-in-loop -- one folder after the other, so that few are open
    if (one.isDirectory()) paths.push(...(await pathsBelow(root, at)))
    else paths.push(at)
  }
  return paths
}

/** Removes empty folders, from this one up to the root. */
const removeEmpty = async (root: string, folder: string): Promise<void> => {
  for (let at = folder; at.length > root.length; at = dirname(at)) {
    try {
      // oxlint-disable-next-line no-await-in-loop -- from the inside out
      await rmdir(at)
    } catch {
      return
    }
  }
}

/** Writes a text to a staged file for `use`, and removes it afterwards. */
const stagedText = async <A>(staging: string, text: string, use: (staged: string) => Promise<A>): Promise<A> => {
  await makeFolders(staging)
  const staged = join(staging, `text-${randomUUID()}`)
  try {
    await writeFile(staged, text)
    return await use(staged)
  } finally {
    await rm(staged, { force: true })
  }
}

/** A folder as a destination: files are staged in it, flushed and renamed. */
export const folderDestination = (address: string): Destination => {
  const root = resolve(address)
  const staging = join(root, stagingFolder)
  const at = (path: string): string => (path === "" ? root : joinBelow(root, path))
  const place = async (from: string, path: string, put: typeof putNew): Promise<void> => {
    const to = at(path)
    await flush(from)
    const made = await mkdir(dirname(to), { recursive: true })
    await put(from, to)
    const last = made === undefined ? dirname(to) : dirname(made)
    // oxlint-disable-next-line no-await-in-loop -- from the file up, so that no folder is flushed before its content
    for (let folder = dirname(to); folder.length >= last.length; folder = dirname(folder)) await flush(folder)
  }
  const move = (from: string, path: string) => place(from, path, rename)
  const add = (from: string, path: string) =>
    place(from, path, putNew).then(
      () => true,
      (cause: unknown) => {
        if (codeOf(cause) === "EEXIST") return false
        throw cause
      }
    )
  const withText = <A>(text: string, use: (staged: string) => Promise<A>) => stagedText(staging, text, use)
  const stage = Effect.flatMap(Clock.currentTimeMillis, (now) =>
    Effect.acquireRelease(
      step(`Create ${staging}`, () => makeStage(staging, now)),
      (folder) => Effect.promise(() => rm(folder, { recursive: true, force: true }))
    )
  )
  return {
    address,
    root,
    urlOf: (path) => path.slice(path.lastIndexOf("/") + 1),
    stage,
    put: (path, staged) => step(`Write ${root}/${path}`, () => move(staged, path)),
    write: (path, text) => step(`Write ${root}/${path}`, () => withText(text, (staged) => move(staged, path))),
    create: (path, text) => step(`Write ${root}/${path}`, () => withText(text, (staged) => add(staged, path))),
    remove: (path) =>
      step(`Remove ${root}/${path}`, async () => {
        await rm(at(path), { force: true })
        await removeEmpty(root, dirname(at(path)))
      }),
    read: (path) => step(`Read ${root}/${path}`, async () => await readFile(at(path), "utf8").catch(whereNothingIs)),
    folders: (path) =>
      step(`List ${root}/${path}`, async () => {
        const found = await readdir(at(path), { withFileTypes: true }).catch(whereNothingIs)
        return (found ?? []).flatMap((one) => (one.isDirectory() ? [one.name] : []))
      }),
    list: (path) => step(`List ${root}/${path}`, async () => await pathsBelow(root, path)),
    fetch: (path) => step(`Read ${root}/${path}`, async () => (existsSync(at(path)) ? at(path) : null))
  }
}
