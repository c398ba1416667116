import { lstat, mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises"
import { join } from "node:path"
import { makeFolders, whereNothingIs } from "../../store/home/disk.ts"

/** Where a folder's files are written before they are put in place. */
export const stagingFolder = "_staging"
/** Shows that a stage is ours: it is written into each as soon as it is made. */
const stageMark = "cardlake-stage"
const markText = "An export writes its files here first. If it died, a later one removes this folder.\n"

const isText = (name: string): boolean => /^text-[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/.test(name)

/** Whether a path of a destination is what an export has staged, which may be at work. `paths` are all that are there. */
export const isStaged = (path: string, paths: ReadonlyArray<string>): boolean => {
  const [first, name = "", ...more] = path.split("/")
  if (first !== stagingFolder) return false
  return more.length === 0 ? isText(name) : paths.includes(`${stagingFolder}/${name}/${stageMark}`)
}

/** An older stage belongs to an export that died. */
const maxExportMillis = 2 * 24 * 3600 * 1000

const isOurs = async (path: string, name: string): Promise<boolean> =>
  isText(name) ||
  (/^export-\w{6}$/.test(name) && (await readFile(join(path, stageMark), "utf8").catch(() => null)) === markText)

/** Removes what exports that died have left; what is not marked as ours stays. */
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

/** An empty folder for an export's files, besides the mark. */
export const makeStage = async (staging: string, now: number): Promise<string> => {
  await makeFolders(staging)
  await sweep(staging, now)
  const stage = await mkdtemp(join(staging, "export-"))
  await writeFile(join(stage, stageMark), markText)
  return stage
}
