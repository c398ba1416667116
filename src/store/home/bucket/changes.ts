import { relative } from "node:path"
import { Effect } from "effect"
import { lakeStep } from "../../../feed/reading/LakeError.ts"
import { fileSha256, pathsBelow } from "../disk.ts"
import { makeDocument } from "./bucketDocuments.ts"
import { isListedFolder, keyOfFile, monthOfPlace, type Place, placeOf } from "./bucketKeys.ts"
import { type MonthOfGame, type Ref, type StoredFile, StoredFiles } from "./documents.ts"
import type { StoredRoom } from "./gameInBucket.ts"
import type { NewObject } from "./log/objects.ts"
import { folderPlaceholder, lookOf, type Placeholders } from "./placeholders.ts"

/** A file that a command has written. */
export interface NewFile extends Place, Pick<NewObject, "from" | "sizeBytes"> {
  readonly sha256: string
}

/** The difference between a command's folder and the commits that it was checked out from. */
export interface Changes {
  readonly written: ReadonlyArray<NewFile>
  readonly deleted: ReadonlyArray<Place>
}

/** Returns a file of this machine as an object of an attempt. */
export const objectOfFile = (attempt: string, file: NewFile): NewObject => ({
  key: keyOfFile({ ...file, attempt }),
  from: file.from,
  sizeBytes: file.sizeBytes
})

/** Finds the changes of a command in a checked-out home. Files that look unchanged are not read. */
export const findChanges = Effect.fn("findChanges")(function* ({ known, root }: Pick<Placeholders, "known" | "root">) {
  const paths = yield* lakeStep(`List ${root}`, (disk) => pathsBelow(disk, root))
  const files = paths.flatMap(({ kind, path }) => {
    const place = kind === "file" ? placeOf(relative(root, path)) : null
    return place === null ? [] : [{ path, place }]
  })
  const read = yield* Effect.forEach(
    files.filter(({ path }) => !known.has(path) || lookOf(path) !== known.get(path)?.look),
    ({ path, place }) =>
      Effect.map(fileSha256(path), (sha256) => {
        const [, size = "0"] = lookOf(path)?.split(" ") ?? []
        return { path, file: { ...place, sha256, sizeBytes: Number(size), from: { file: path } } }
      }),
    { concurrency: 4 }
  )
  const isSame = (path: string, sha256: string) => {
    const file = known.get(path)
    return file?.sha256 === sha256 && file.isDamaged !== true
  }
  const there = new Set(files.map(({ path }) => path))
  return {
    written: read.flatMap(({ file, path }) => (isSame(path, file.sha256) ? [] : [file])),
    deleted: Array.from(known).flatMap(([path, file]) => (there.has(path) ? [] : [file]))
  } satisfies Changes
})

/** Returns the files of a list, each with its writer. */
const withWriters = ({ attempt, files }: StoredFiles): Record<string, StoredFile> =>
  Object.fromEntries(Object.entries(files).map(([name, [sum, size, by = attempt]]) => [name, [sum, size, by]]))

const none: StoredFiles = { attempt: "", files: {} }

/**
 * Applies changes to the files that a commit names. Returns the lists of the next commit, the objects to store, and the
 * folders that have no files any more.
 */
export const applyChanges = Effect.fn("applyChanges")(function* (
  room: StoredRoom,
  attempt: string,
  { deleted, written }: Changes
) {
  const { gameId, list, month } = room
  const objects = written.map((file) => objectOfFile(attempt, file))
  const make = Effect.fnUntraced(function* <S extends Parameters<typeof makeDocument>[0]["schema"]>(
    kind: string,
    schema: S,
    value: S["Type"]
  ) {
    const { object, ref } = yield* makeDocument({ gameId, kind, attempt, schema, value })
    objects.push(object)
    return ref
  })
  const change = (before: StoredFiles, changes: ReadonlyArray<Place | NewFile>): StoredFiles => {
    const files = withWriters(before)
    for (const one of changes)
      if ("from" in one) files[one.name] = [one.sha256, one.sizeBytes]
      else delete files[one.name]
    return { attempt, files }
  }
  const months: Record<string, Ref> = { ...room.months }
  const emptied = new Set<string>()
  const ofRuns = [...deleted, ...written].filter(({ folder }) => folder !== "")
  for (const [name, ofMonth] of Map.groupBy<string, Place | NewFile>(ofRuns, monthOfPlace)) {
    const folders: Record<string, MonthOfGame["folders"][string]> = { ...(yield* month(name)).folders }
    for (const [folder, changes] of Map.groupBy(ofMonth, (one) => one.folder)) {
      const was = folders[folder]
      const isReplaced = was === undefined || changes.some((one) => one.name === folderPlaceholder)
      const now = change(isReplaced ? none : yield* list(was), changes)
      const sizes = Object.values(now.files).map(([, size]) => size)
      if (sizes.length === 0) {
        delete folders[folder]
        emptied.add(folder)
      } else if (isListedFolder(folder)) {
        const sizeBytes = sizes.reduce((sum, size) => sum + size, 0)
        folders[folder] = { list: yield* make("list", StoredFiles, now), files: sizes.length, sizeBytes }
      } else folders[folder] = now
    }
    if (Object.keys(folders).length === 0) delete months[name]
    else months[name] = yield* make(room.ofMonth.kind, room.ofMonth.schema, { folders })
  }
  const others = [...deleted, ...written].filter(({ folder }) => folder === "")
  const files = others.length === 0 ? room.files : change(room.files, others)
  return { months, files, objects, emptied }
})
