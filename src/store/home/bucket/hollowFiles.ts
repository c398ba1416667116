import { Effect, Semaphore } from "effect"
import { diskHere } from "../../../feed/disk/Disk.ts"
import { LakeError } from "../../../feed/reading/LakeError.ts"
import type { RemoteFiles } from "../../../feed/reading/RemoteFiles.ts"
import type { BucketStore } from "./BucketStore.ts"
import { fileKey } from "./bucketKeys.ts"
import type { StoredFile, StoredFiles } from "./documents.ts"
import { joinBelow } from "../../../feed/guard/joinBelow.ts"

/** A stored file that belongs in this folder. */
export interface KnownFile {
  readonly gameId: string | null
  /** The path of its folder in the home. */
  readonly folder: string
  readonly name: string
  readonly sha256: string
  readonly sizeBytes: number
  readonly attempt: string
  /** The state of the file on disk before any local write. */
  look: string
  /** True if its content was downloaded. */
  isHere: boolean
  /** True if its object does not match its name. A file with the same content then gets a new object. */
  isDamaged?: true
}

/** The placeholder for a folder with many files. */
export const standInName = ".elsewhere"

/** Returns a value that changes with every write to a file; null if the file is missing. */
export const lookOf = (path: string): string | null => {
  const found = diskHere().look(path, "links")
  return found === null ? null : `${found.inode} ${found.sizeBytes} ${found.modifiedNanos}`
}

export const storedParts = ({ attempt }: Pick<StoredFiles, "attempt">, file: StoredFile) => ({
  sha256: file[0],
  sizeBytes: file[1],
  attempt: file[2] ?? attempt
})

/** Returns the key of a file's object. */
export const keyOfKnown = (file: Pick<KnownFile, "attempt" | "folder" | "gameId" | "name" | "sha256">): string =>
  fileKey(file.gameId, { path: file.folder === "" ? file.name : file.folder, ...file })

/** Lets one of several concurrent downloads of a file go first. */
const makeTurns = () => {
  const turns = new Map<string, Semaphore.Semaphore>()
  return (path: string): Semaphore.Semaphore => {
    const turn = turns.get(path) ?? Semaphore.makeUnsafe(1)
    turns.set(path, turn)
    return turn
  }
}

/** Creates placeholders in a folder, each with its remote object. */
export const makeHollowFiles = (root: string, store: BucketStore) => {
  const known = new Map<string, KnownFile>()

  const placeOne = (gameId: string | null, folder: string, name: string, stored: ReturnType<typeof storedParts>) => {
    const path = joinBelow(root, ...(folder === "" ? [] : [folder]), name)
    if (known.has(path)) return
    diskHere().writeNow(path, [], { exclusive: true })
    known.set(path, { gameId, folder, name, ...stored, look: lookOf(path) ?? "", isHere: stored.sizeBytes === 0 })
  }

  /** Creates placeholders. Fails if a document has a file and a folder with the same path. */
  const place = (gameId: string | null, folder: string, { attempt, files }: StoredFiles) =>
    Effect.try({
      try: () => {
        for (const [name, file] of Object.entries(files)) placeOne(gameId, folder, name, storedParts({ attempt }, file))
      },
      catch: (cause) => new LakeError({ step: `Make room for ${folder} of ${store.address}`, cause })
    })

  const unplace = (path: string): void => {
    diskHere().removeNow(path)
    known.delete(path)
  }

  const standingIn = (path: string): KnownFile | null => {
    const file = known.get(path)
    return file !== undefined && !file.isHere && lookOf(path) === file.look ? file : null
  }

  const turnOf = makeTurns()

  const fetched = (path: string, file: KnownFile) =>
    store.fetch(keyOfKnown(file), path, file.sha256).pipe(
      Effect.map(() => {
        file.look = lookOf(path) ?? ""
        file.isHere = true
      }),
      Effect.mapError((cause) => new LakeError({ step: `Fetch ${file.name}`, cause }))
    )

  /** Of two concurrent calls, the second one finds the downloaded file. */
  const obtain: RemoteFiles["obtain"] = (path) => {
    const download = Effect.suspend(() => {
      const file = standingIn(path)
      return file === null ? Effect.void : fetched(path, file)
    })
    return Effect.suspend(() => (standingIn(path) === null ? Effect.void : turnOf(path).withPermit(download)))
  }

  return {
    known,
    place,
    unplace,
    obtain,
    sumOf: (path: string) => standingIn(path)?.sha256 ?? null,
    sizeOf: (path: string) => standingIn(path)?.sizeBytes ?? null,
    isStored: (path: string) => known.has(path) && known.get(path)?.look === lookOf(path)
  }
}
