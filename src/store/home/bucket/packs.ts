import { type HomeFile, isPack, keyOfFile, kindOf, packBytes } from "./bucketKeys.ts"
import type { NewObject } from "./log/objects.ts"

// Small files of a folder share objects, packs, so that a night writes few objects. A list has the position of each. A file keeps its own checksum, so damage is found in the file that has it.

/** The maximum size of a file in a pack. */
const maxFileBytes = 1024 * 1024

/** A file that a command has written. */
export interface NewFile extends Omit<HomeFile, "attempt" | "position"> {
  readonly from: { readonly file: string } | Buffer
  /** The attempt that has stored the same content under the same name; absent: none has. */
  readonly storedBy?: string | undefined
}

/** True for a document with the checksums of its folder's other files, by which a repair rebuilds them. */
export const describesFolder = (name: string): boolean => name === "manifest.json" || name === "extraction.json"

/**
 * True if a file has an object of its own. Fronts name Parquet files by the addresses of their objects, and only a copy
 * can replace files of months, object by object.
 */
const isAlone = (file: NewFile): boolean =>
  file.gameId === null ||
  file.name.endsWith(".parquet") ||
  describesFolder(file.name) ||
  kindOf(file) === "months" ||
  file.sizeBytes > maxFileBytes

/** Returns the objects of new files under an attempt, and the files as a list will name them. */
export const packFiles = (attempt: string, written: ReadonlyArray<NewFile>) => {
  const stored = new Map<NewFile, HomeFile>()
  /** The last file in the packs of each kind. */
  const last = new Map<string, { readonly folder: string; readonly end: number }>()
  for (const file of [...Map.groupBy(written, ({ folder }) => folder).values()].flat()) {
    const { folder, gameId, name, sha256, sizeBytes } = file
    const one: HomeFile = { gameId, folder, name, sha256, sizeBytes, attempt: file.storedBy ?? attempt }
    const before = last.get(kindOf(file)) ?? { folder, end: 0 }
    const free = packBytes - (before.end % packBytes)
    const position = folder !== before.folder || sizeBytes > free ? before.end + free : before.end
    if (!isAlone(file)) last.set(kindOf(file), { folder, end: position + sizeBytes })
    stored.set(file, isAlone(file) ? one : { ...one, position })
  }
  const created = [...stored].filter(([{ storedBy }]) => storedBy === undefined)
  const objects = Array.from(
    Map.groupBy(created, ([, one]) => keyOfFile(one)),
    ([key, files]): NewObject => {
      const parts = isPack(key) ? files : files.slice(0, 1)
      const sizeBytes = parts.reduce((sum, [file]) => sum + file.sizeBytes, 0)
      return { key, from: parts.map(([{ from }]) => from), sizeBytes }
    }
  )
  return { objects, stored }
}
