import { createHash } from "node:crypto"
import { Effect } from "effect"
import { lakeStep } from "../../../feed/reading/LakeError.ts"
import { type HomeFile, keyOfFile } from "./bucketKeys.ts"
import type { NewObject } from "./log/objects.ts"

// Small files of a folder share an object, a pack, so that a night writes few objects. The list of the folder names the
// pack, and the offset of each file in it. A file keeps its own checksum, so damage is found in the file that has it.

const kibibyte = 1024

/** The maximum size of a file that shares an object. */
const maxFileBytes = 1024 * kibibyte

/** The maximum size of a pack, which is in memory while it is read or written. */
export const maxPackBytes = 8 * 1024 * kibibyte

/** The maximum size of a pack that is read as a whole at the first request. */
const smallPackBytes = 16 * kibibyte

/** True if a pack is read as a whole: it is small, or this is at least the third request for one of its files. */
export const isWorthWhole = ({ sizeBytes }: { readonly sizeBytes: number }, requests: number): boolean =>
  requests > 0 && (sizeBytes <= smallPackBytes || (requests > 2 && sizeBytes <= maxPackBytes))

type NewFile = Omit<HomeFile, "attempt" | "pack"> & { readonly from: { readonly file: string } | Buffer }

/** True for a document with the checksums of its folder's other files, by which a repair rebuilds them. */
const describesFolder = (name: string): boolean => name === "manifest.json" || name === "extraction.json"

/** True for files that only a copy can replace, object by object: those of months. */
const isOfMonth = ({ folder, name }: NewFile): boolean => (folder === "" ? name : folder).startsWith("history/")

/** True if a file has an object of its own. Fronts name Parquet files by the addresses of their objects. */
const isAlone = (file: NewFile): boolean =>
  file.gameId === null ||
  file.name.endsWith(".parquet") ||
  describesFolder(file.name) ||
  isOfMonth(file) ||
  file.sizeBytes > maxFileBytes

/** Splits the files of a folder into objects: the small ones share some, in the order of their names. */
const splitFolder = <A extends NewFile>(files: ReadonlyArray<A>): ReadonlyArray<ReadonlyArray<A>> => {
  const packs: Array<Array<A>> = []
  let free = -1
  for (const file of files.filter((one) => !isAlone(one)).toSorted((a, b) => (a.name < b.name ? -1 : 1))) {
    if (free < file.sizeBytes) {
      packs.push([])
      free = maxPackBytes
    }
    packs.at(-1)?.push(file)
    free -= file.sizeBytes
  }
  return [...files.filter(isAlone).map((file) => [file]), ...packs]
}

/** Returns the checksum of files, one after the other. */
const sumFiles = Effect.fnUntraced(function* (files: ReadonlyArray<NewFile>) {
  const sum = createHash("sha256")
  for (const { from, name } of files)
    sum.update(Buffer.isBuffer(from) ? from : yield* lakeStep(`Read ${name}`, (disk) => disk.read(from.file)))
  return sum.digest("hex")
})

/** Returns the objects of new files under an attempt, and the files as a list will name them. */
export const packFiles = Effect.fn("packFiles")(function* <A extends NewFile>(
  attempt: string,
  written: ReadonlyArray<A>
) {
  const objects: Array<NewObject> = []
  const stored = new Map<object, HomeFile>()
  const byFolder = Map.groupBy(written, ({ folder }) => folder)
  for (const files of [...byFolder.values()].flatMap(splitFolder)) {
    const [first] = files
    if (first === undefined) continue
    const sizeBytes = files.reduce((sum, file) => sum + file.sizeBytes, 0)
    const sha256 = files.length === 1 ? null : yield* sumFiles(files)
    let offset = 0
    for (const file of files) {
      const { folder, gameId, name } = file
      const pack = sha256 === null ? undefined : { sha256, sizeBytes, offset }
      stored.set(file, { gameId, folder, name, sha256: file.sha256, sizeBytes: file.sizeBytes, attempt, pack })
      offset += file.sizeBytes
    }
    const from = files.length === 1 ? first.from : { files: files.map((file) => file.from) }
    objects.push({ key: keyOfFile(stored.get(first) ?? { ...first, attempt }), from, sizeBytes })
  }
  return { objects, stored }
})
