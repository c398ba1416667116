import { join, relative } from "node:path"
import { Effect, Semaphore } from "effect"
import { listRawRuns } from "../../../feed/contract/Via.ts"
import { Disk, diskHere } from "../../../feed/disk/Disk.ts"
import { joinBelow } from "../../../feed/guard/joinBelow.ts"
import { LakeError, lakeStep } from "../../../feed/reading/LakeError.ts"
import type { RemoteFiles } from "../../../feed/reading/RemoteFiles.ts"
import { isThere } from "../disk.ts"
import { homeIn } from "../Home.ts"
import { readJson } from "../jsonFile.ts"
import { Manifest } from "../Manifest.ts"
import type { BucketStore } from "./BucketStore.ts"
import { type HomeFile, keyOfFile, partOfFile, parsePlace } from "./bucketKeys.ts"
import { filesIn, type ListedFolder, type StoredFiles } from "./documents.ts"
import type { OpenGame, Room } from "./gameInBucket.ts"

/** A stored file that belongs in this folder. */
export interface KnownFile extends HomeFile {
  /** The state of the file on disk before any local write. */
  look: string
  /** True if its content was downloaded. */
  isHere: boolean
  /** True if its object does not match its name. A file with the same content then gets a new object. */
  isDamaged?: true
}

/** The placeholder for a folder with many files, until one of its files is read. */
export const folderPlaceholder = ".elsewhere"

/** Returns a value that changes with every write to a file; null if the file is missing. */
export const lookOf = (path: string): string | null => {
  const found = diskHere().look(path, "links")
  return found === null ? null : `${found.inode} ${found.sizeBytes} ${found.modifiedNanos}`
}

/** Creates placeholders of files, each with its remote object. */
const makeFilePlaceholders = (root: string, store: BucketStore) => {
  const known = new Map<string, KnownFile>()
  /** Files with the same content, by key and position. The first one is downloaded, the others wait for it. */
  const contents = new Map<string, { readonly turn: Semaphore.Semaphore; path: string | null }>()
  const contentOf = (file: KnownFile) => {
    const key = `${keyOfFile(file)} ${file.position}`
    const content = contents.get(key) ?? { turn: Semaphore.makeUnsafe(1), path: null }
    contents.set(key, content)
    return content
  }

  const placeOne = (file: HomeFile) => {
    const path = joinBelow(root, ...(file.folder === "" ? [] : [file.folder]), file.name)
    if (known.has(path)) return
    diskHere().writeNow(path, [], { exclusive: true })
    known.set(path, { ...file, look: lookOf(path) ?? "", isHere: file.sizeBytes === 0 })
  }

  /** Creates placeholders. Fails if a document has a file and a folder with the same path. */
  const placeFiles = (gameId: string | null, folder: string, list: StoredFiles) =>
    Effect.try({
      try: () => {
        for (const file of filesIn({ gameId, folder }, list)) placeOne(file)
      },
      catch: (cause) => new LakeError({ step: `Make room for ${folder} of ${store.address}`, cause })
    })

  const standingIn = (path: string): KnownFile | null => {
    const file = known.get(path)
    return file !== undefined && !file.isHere && lookOf(path) === file.look ? file : null
  }

  const download = Effect.fnUntraced(
    function* (path: string, file: KnownFile) {
      if (standingIn(path) === null) return
      const content = contentOf(file)
      const other = content.path ?? path
      const disk = yield* Disk
      if (known.get(other)?.isHere === true && known.get(other)?.look === lookOf(other))
        yield* lakeStep(`Copy ${other}`, async () => disk.write(path, await disk.read(other)))
      else yield* store.fetch(keyOfFile(file), path, file.sha256, partOfFile(file))
      content.path = path
      file.look = lookOf(path) ?? ""
      file.isHere = true
    },
    (downloading, _, file) =>
      Effect.mapError(downloading, (cause) => new LakeError({ step: `Fetch ${file.name}`, cause }))
  )

  /** Of two concurrent calls, the second one finds the downloaded file. */
  const obtain: RemoteFiles["obtain"] = (path) =>
    Effect.suspend(() => {
      const file = standingIn(path)
      return file === null ? Effect.void : contentOf(file).turn.withPermit(download(path, file))
    })

  return { known, placeFiles, standingIn, obtain }
}

/** Creates placeholders in a folder. A folder with many files has one until one of its files is read. */
export const makePlaceholders = (root: string, store: BucketStore) => {
  const { known, obtain: obtainFile, placeFiles, standingIn } = makeFilePlaceholders(root, store)
  const packed = new Map<string, { readonly of: Room; readonly listed: ListedFolder }>()

  const placeFolder = (of: Room, path: string, found: ListedFolder | StoredFiles) => {
    if (!("list" in found)) return placeFiles(of.gameId, path, found)
    packed.set(path, { of, listed: found })
    const { list, own, sizeBytes } = found
    const files = { ...own, [folderPlaceholder]: ["", sizeBytes] as const }
    return placeFiles(of.gameId, path, { attempt: list.attempt, files })
  }

  /** Replaces the placeholder of a folder by those of its files. */
  const unpack = Effect.fnUntraced(function* (folder: string) {
    const found = packed.get(folder)
    if (found === undefined) return
    const list = yield* found.of.list(found.listed)
    if (!packed.delete(folder)) return
    const path = join(root, folder, folderPlaceholder)
    diskHere().removeNow(path)
    known.delete(path)
    yield* placeFiles(found.of.gameId, folder, list)
  })

  const unpackFor = (path: string, folder: string) =>
    Effect.mapError(unpack(folder), (cause) => new LakeError({ step: `Find ${path}`, cause }))

  const obtain: RemoteFiles["obtain"] = (path) =>
    Effect.suspend(() => {
      if (known.has(path) || packed.size === 0) return obtainFile(path)
      return Effect.andThen(unpackFor(path, parsePlace(relative(root, path))?.folder ?? ""), obtainFile(path))
    })

  /** Downloads all files. `failed` handles the failures of one. */
  const obtainAll = Effect.fnUntraced(function* <E>(
    failed: (error: LakeError, file: KnownFile, path: string) => Effect.Effect<void, E>
  ) {
    const options = { concurrency: 8, discard: true } as const
    yield* Effect.forEach([...packed.keys()], (folder) => unpackFor(join(root, folder), folder), options)
    const obtainOne = ([path, file]: readonly [string, KnownFile]) =>
      Effect.catchTag(obtain(path), "LakeError", (error) => failed(error, file, path))
    yield* Effect.forEach(known, obtainOne, options)
  })

  const remote: Omit<RemoteFiles, "wholeGame"> = {
    obtain,
    sumOf: (path) => standingIn(path)?.sha256 ?? null,
    sizeOf: (path) => standingIn(path)?.sizeBytes ?? null,
    isStored: (path) => known.has(path) && known.get(path)?.look === lookOf(path)
  }
  return { root, known, packed, placeFiles, placeFolder, unpack, obtainAll, remote }
}

export type Placeholders = ReturnType<typeof makePlaceholders>

export interface CheckedOut {
  readonly opened: OpenGame
  /** Folders with placeholders here. The others remain unchanged in the bucket. */
  readonly placed: Set<string>
}

const placeFolders = Effect.fnUntraced(function* (
  { placeFolder }: Placeholders,
  { opened, placed }: CheckedOut,
  isWanted: (path: string) => boolean
) {
  for (const [path, found] of yield* opened.folders()) {
    if (placed.has(path) || !isWanted(path)) continue
    placed.add(path)
    yield* placeFolder(opened, path, found)
  }
})

/** Places the published snapshot with its raw pages, the held snapshots, and the answers of a backfill. */
export const placeNight = Effect.fnUntraced(function* (here: Placeholders, game: CheckedOut) {
  const { gameId, snapshots, state } = game.opened
  const home = homeIn(here.root)
  const placeFolder = Effect.fnUntraced(function* (folder: string) {
    const path = relative(home.root, folder)
    const found = game.placed.has(path) ? null : yield* game.opened.folder(path)
    if (found === null) return
    game.placed.add(path)
    yield* here.placeFolder(game.opened, path, found)
  })
  yield* here.placeFiles(gameId, "", state.files)
  for (const snapshot of snapshots) {
    yield* placeFolder(home.snapshot(gameId, snapshot))
    yield* placeFolder(home.changes(gameId, snapshot))
  }
  if (Object.keys(state.files.files).some((name) => name.startsWith("backfill/"))) {
    yield* placeFolders(here, game, (path) => path.includes("/backfill/part=") || path.endsWith("/answers"))
    yield* here.unpack(relative(home.root, home.backfillAnswers(gameId)))
  }
  if (state.live === null) return
  const live = home.snapshot(gameId, state.live)
  const manifest = yield* readJson(join(live, "manifest.json"), Manifest)
  // After a rollback, the prices of the published snapshot may be in its month.
  if (Object.keys(manifest.tables).some((table) => !isThere(join(live, `${table}.parquet`))))
    yield* placeFolders(here, game, (path) => path.includes("/month="))
  for (const run of new Set(listRawRuns(manifest))) yield* placeFolder(home.raw(gameId, run))
})

export const placeAll = Effect.fnUntraced(function* (here: Placeholders, game: CheckedOut) {
  yield* here.placeFiles(game.opened.gameId, "", game.opened.files)
  yield* placeFolders(here, game, () => true)
})
