import { basename, relative } from "node:path"
import { Effect } from "effect"
import { pathsBelow, fileSha256 } from "../disk.ts"
import { lakeStep } from "../../../feed/reading/LakeError.ts"
import type { Checkout } from "./checkOut.ts"
import type { StoredFile } from "./documents.ts"
import { lookOf, standInName } from "./hollowFiles.ts"
import { type Place, placeOf } from "./placeOf.ts"

/** A file that a command has written. */
export interface FreshFile extends Place {
  readonly path: string
  readonly sha256: string
  readonly sizeBytes: number
}

/** The current files of a checked-out home by place: unchanged files and new files. */
export interface FilesHere {
  readonly kept: ReadonlyArray<Place & { readonly file: StoredFile }>
  readonly fresh: ReadonlyArray<FreshFile>
  /** Folders that still have one placeholder. */
  readonly packed: ReadonlySet<string>
}

/** Finds the changes of a command in a checked-out home. Files that look unchanged are not read. */
export const filesHere = Effect.fnUntraced(function* ({ hollow, root }: Pick<Checkout, "hollow" | "root">) {
  const paths = yield* lakeStep(`List ${root}`, (disk) => pathsBelow(disk, root))
  const kept: Array<FilesHere["kept"][number]> = []
  const packed = new Set<string>()
  const unread: Array<Place & { readonly path: string }> = []
  for (const { kind, path } of paths) {
    if (kind !== "file") continue
    const rel = relative(root, path)
    const place = placeOf(rel)
    if (place === null) continue
    const known = hollow.known.get(path)
    if (known !== undefined && lookOf(path) === known.look) {
      if (basename(path) === standInName && place.folder !== null) packed.add(place.folder)
      else kept.push({ ...place, file: [known.sha256, known.sizeBytes, known.attempt] })
    } else unread.push({ ...place, path })
  }
  const fresh = yield* Effect.forEach(
    unread,
    (one) =>
      Effect.map(fileSha256(one.path), (sha256): FreshFile => {
        const [, size = "0"] = lookOf(one.path)?.split(" ") ?? []
        return { ...one, sha256, sizeBytes: Number(size) }
      }),
    { concurrency: 4 }
  )
  const isSame = ({ path, sha256 }: FreshFile) => {
    const known = hollow.known.get(path)
    return known?.sha256 === sha256 && known.isDamaged !== true
  }
  for (const one of fresh.filter(isSame)) {
    const known = hollow.known.get(one.path)
    if (known !== undefined)
      kept.push({
        gameId: one.gameId,
        folder: one.folder,
        name: one.name,
        file: [known.sha256, known.sizeBytes, known.attempt]
      })
  }
  return { kept, fresh: fresh.filter((one) => !isSame(one)), packed } satisfies FilesHere
})
