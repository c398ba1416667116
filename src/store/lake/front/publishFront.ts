import { dirname, join, resolve } from "node:path"
import { Effect, Schema } from "effect"
import { Fault } from "../../../feed/contract/Fault.ts"
import { shellWord } from "../../../feed/contract/shellWord.ts"
import { diskHere } from "../../../feed/disk/Disk.ts"
import { makeFolders } from "../../../feed/disk/makeFolders.ts"
import { isPathBelow, joinBelow } from "../../../feed/guard/joinBelow.ts"
import { lakeStep } from "../../../feed/reading/LakeError.ts"
import {
  fileSize,
  isThere,
  makeFolder,
  namesIn,
  pathsBelow,
  privateFolder,
  replace,
  syncToDisk
} from "../../home/disk.ts"
import { frontFile } from "../../home/homePaths.ts"
import { type Current, Home, readCurrent, lastCommittedRun } from "../../home/Home.ts"
import { readJson, writeJson } from "../../home/jsonFile.ts"
import { lockFolder } from "../../home/lock/lockHome.ts"
import { newRunId } from "../../home/newRunId.ts"
import { outsideHomes } from "../../home/OutputInHome.ts"
import { noLake } from "../publish/openLake.ts"
import { buildFront } from "./buildFront.ts"

/** `front.json`: marks a folder as a front's, and names the files of its fronts. */
export const FrontFolder = Schema.Struct({
  format: Schema.Literal("cardlake front"),
  base: Schema.String,
  /** The newest first. A publication that died may have named one that it did not put there, so three are kept. */
  fronts: Schema.Array(
    Schema.Struct({ commit: Schema.String, files: Schema.Array(Schema.String.check(Schema.makeFilter(isPathBelow))) })
  )
})

/** The folder or bucket has foreign files, or the front of another lake or of a later state. */
export const frontRefused = (place: string, what: string, next: string) =>
  new Fault("FrontRefused", `${place} ${what}. ${next}`)

export const marker = "front.json"

/** Reads what an earlier publication left; null if the folder is missing or empty. */
const readFolder = Effect.fnUntraced(function* (folder: string) {
  if (isThere(join(folder, marker))) return yield* readJson(join(folder, marker), FrontFolder)
  const [other] = yield* namesIn(folder)
  if (other === undefined) return null
  const next = "Name an empty folder, or that of an earlier front"
  return yield* frontRefused(folder, `has ${other}, which is not of a front`, next)
})

/** Returns the files that a folder lacks, or has with another size. A published file never changes. */
export const missingCopies = (root: string, folder: string, files: ReadonlyArray<string>): ReadonlyArray<string> => {
  const { look } = diskHere()
  return files.filter((file) => {
    const copy = look(joinBelow(folder, file))
    return copy === null || copy.sizeBytes !== (look(joinBelow(root, file)) ?? copy).sizeBytes
  })
}

const copyFiles = Effect.fnUntraced(function* (root: string, folder: string, files: ReadonlyArray<string>) {
  const missing = missingCopies(root, folder, files)
  yield* Effect.forEach(
    missing,
    Effect.fnUntraced(function* (file) {
      const to = joinBelow(folder, file)
      yield* lakeStep(`Copy ${file}`, async (disk) => {
        await makeFolders(disk, dirname(to))
        await disk.copy(joinBelow(root, file), `${to}.part`)
      })
      yield* syncToDisk(`${to}.part`)
      yield* replace(`${to}.part`, to)
    }),
    { concurrency: 4, discard: true }
  )
  return missing.length
})

/** True if fronts name a run of this home: then they are of its lake, or of a copy of it. */
const areOfLake = ({ history }: Current, fronts: typeof FrontFolder.Type.fronts): boolean => {
  const names = JSON.stringify(fronts)
  return history.some(({ run, snapshot }) => names.includes(run) || names.includes(snapshot))
}

/** Deletes files that no kept front names: those that an `earlier` one named, and those in the folders of fronts. */
const removeUnnamed = Effect.fnUntraced(function* (folder: string, named: Set<string>, earlier: Set<string>) {
  return yield* lakeStep(`Remove unnamed files of ${folder}`, async (disk) => {
    const below = (await pathsBelow(disk, folder)).filter(({ kind }) => kind === "file")
    const unnamed = below
      .map(({ path }) => path.slice(folder.length + 1))
      .filter(
        (file) => !named.has(file) && (earlier.has(file.replace(/\.part$/, "")) || /^fronts\/[0-9a-f]{16}\//.test(file))
      )
    await Promise.all(unnamed.map((file) => disk.removeFile(join(folder, file))))
    return unnamed.length
  })
})

/**
 * Publishes a front and the files that it names into a folder for a web server: files first, then the front by rename.
 * Files stay while one of the last fronts names them, so a reader of the one before never misses a file. A front of an
 * older commit never replaces a newer one. Whatever fails meanwhile, the old front stays.
 */
export const publishFront = Effect.fn("publishFront")(function* (target: string, publicUrl: string | null) {
  const home = yield* Home
  const folder = resolve(target)
  if (!isThere(home.lake)) return yield* noLake
  yield* outsideHomes(join(folder, marker))
  yield* readFolder(folder)
  yield* makeFolder(folder)
  yield* lockFolder({ root: folder, lock: join(folder, "lock") }, "front publish", yield* newRunId)
  const before = isThere(join(folder, marker)) ? yield* readFolder(folder) : null
  const published = before?.fronts ?? []
  const [newest] = published
  if (newest !== undefined && !areOfLake(yield* readCurrent, published)) {
    const next = `Name another folder; or delete that front first: rm -r ${shellWord(folder)}`
    return yield* frontRefused(folder, `has the front of another lake than ${home.root}`, next)
  }
  const base = publicUrl?.replace(/\/+$/, "") ?? before?.base ?? folder
  const stage = yield* privateFolder
  const { commit, ofFront, ofHome } = yield* buildFront(stage, base)
  if (newest !== undefined && newest.commit > commit) {
    const what = `has the front of a later lake (${newest.commit}) than ${home.root} has (${commit})`
    return yield* frontRefused(folder, what, "Publish from the home with the later lake")
  }
  const copied = yield* copyFiles(home.root, folder, ofHome)
  yield* copyFiles(stage, folder, ofFront)
  const files = [...ofHome, ...ofFront]
  // The same front again takes no place of an earlier one.
  const earlier = published.filter((front) => `${front.files}` !== `${files}`)
  const fronts = [{ commit, files }, ...earlier].slice(0, 3)
  yield* writeJson(join(folder, marker), FrontFolder, { format: "cardlake front", base, fronts })
  const [source, staged] = [join(folder, ofFront.at(-1) ?? ""), join(folder, `${frontFile}.part`)]
  yield* lakeStep(`Copy ${frontFile}`, (disk) => disk.copy(source, staged))
  yield* syncToDisk(staged)
  yield* replace(staged, join(folder, frontFile))
  const [kept, known] = [fronts, [...fronts, ...earlier]].map((all) => new Set(all.flatMap((front) => front.files)))
  const removed = yield* removeUnnamed(folder, kept ?? new Set(), known ?? new Set())
  const sizeBytes = yield* fileSize(join(folder, frontFile))
  return { folder, base, commit, files: files.length, copied, removed, sizeBytes }
}, Effect.scoped)

/**
 * Publishes the front again that setting `CARDLAKE_FRONT` names. It is derived from the lake: a failure is a warning,
 * and the next publication tries again.
 */
export const refreshFront = Effect.gen(function* () {
  const { front, place } = yield* Home
  if (front === null || !place.buildsLake) return
  const { folder, publicUrl } = front
  const next = `cardlake front publish ${shellWord(folder)}`
  if (publicUrl === null && !isThere(join(folder, marker)))
    return yield* Effect.logWarning(
      `CARDLAKE_FRONT names ${folder}, which has no front yet. Set CARDLAKE_PUBLIC_URL to the address of its readers, or publish the first one with it: ${next} --public-url URL`
    )
  yield* publishFront(folder, publicUrl).pipe(
    Effect.catchTag("FrontRefused", ({ message }) => Effect.logWarning(`The front was not written: ${message}`)),
    warnOfFront(folder, next)
  )
})

/** Logs a failure as a warning: a front is derived, and the next publication tries again. */
export const warnOfFront = (at: string, next: string) =>
  Effect.catch(({ message }: { readonly message: string }) =>
    Effect.logWarning(`The front in ${at} is that of an earlier lake: ${message}. Retry: ${next}`)
  )

/** Describes a front for `doctor`. `damaged` are files that are missing, or have another size than they had. */
export const describeFront = (
  at: string,
  next: string,
  { commit, damaged, newest }: Record<"commit" | "newest", string> & { readonly damaged: ReadonlyArray<string> }
) => {
  const [firstDamaged] = damaged
  const fault = firstDamaged !== undefined ? `lacks ${firstDamaged}, or it is damaged` : "is that of an earlier lake"
  return firstDamaged === undefined && commit === newest
    ? { ok: true, says: `The front in ${at} is that of the published lake` }
    : {
        ok: firstDamaged === undefined,
        ...(firstDamaged === undefined ? { isDoubt: true as const } : {}),
        says: `The front in ${at} ${fault}. Publish it again: ${next}`
      }
}

/** Examines the front in the folder of `CARDLAKE_FRONT`; null if the setting or the first front is missing. */
export const examineFront = Effect.gen(function* () {
  const { front, root } = yield* Home
  if (front === null || !isThere(join(front.folder, marker))) return null
  const { folder } = front
  const { fronts } = yield* readJson(join(folder, marker), FrontFolder)
  const [{ commit, files } = { commit: "", files: [] }] = fronts
  const source = files.at(-1)
  const isWhole =
    source !== undefined &&
    isThere(join(folder, frontFile)) &&
    missingCopies(root, folder, [source]).length === 0 &&
    (yield* fileSize(join(folder, source))) === (yield* fileSize(join(folder, frontFile)))
  const damaged = [...(isWhole ? [] : [frontFile]), ...missingCopies(root, folder, files)]
  const newest = lastCommittedRun(yield* readCurrent)
  return describeFront(folder, `cardlake front publish ${shellWord(folder)}`, { commit, newest, damaged })
})
