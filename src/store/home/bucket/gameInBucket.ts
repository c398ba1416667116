import { Effect } from "effect"
import type { BucketStore } from "./BucketStore.ts"
import {
  fetchDocument,
  filesIn,
  isLost,
  GameCommit,
  isMonthOf,
  LakeCommit,
  type ListedFolder,
  Month,
  type RoomFiles,
  StoredFiles
} from "./documents.ts"
import { monthOfFolder, monthOfPlace, type Place, roomPath } from "./bucketKeys.ts"
import {
  type CommitLog,
  commitKey,
  type Draft,
  readCommit,
  readHead,
  type Stored,
  sumOfCommit
} from "./log/commitLog.ts"
import { missing } from "./BucketFailed.ts"

export type GameHead = Stored<GameCommit>
export type LakeHead = Stored<LakeCommit>

/** A commit of the lake as it names a commit of a game; undefined if nothing of the game is published. */
type Published = LakeCommit["games"][string] | undefined

export const lakeLog: CommitLog<LakeCommit> = { room: roomPath(null), schema: LakeCommit }
export const gameLog = (gameId: string): CommitLog<GameCommit> => ({
  room: roomPath(gameId),
  schema: GameCommit,
  fits: (commit) => commit.gameId === gameId
})

export const emptyLake: Draft<LakeCommit> = {
  lowest: 1,
  sequence: 0,
  games: {},
  months: {},
  files: { attempt: "", files: {} }
}

export const emptyGame = (gameId: GameCommit["gameId"]): Draft<GameCommit> => ({
  lowest: 1,
  gameId,
  lake: 0,
  live: null,
  published: [],
  held: [],
  steps: [],
  months: {},
  files: { attempt: "", files: {} },
  report: null
})

/** True if two commits differ in notes alone, such as a mark of a night or a garbage collection. */
export const isSameState = (a: GameHead | null, b: GameHead | null): boolean => {
  const parts = (head: GameHead | null) => {
    const { files, held, live, months, published, steps } = head?.commit ?? emptyGame("")
    return JSON.stringify([live, published, held, steps, months, files])
  }
  return parts(a) === parts(b)
}

/** The damage of a commit that is not the one that the lake names. */
export const unlikeLake = "its bytes are not those that the lake names"

/** Fails if a commit is not the one that the lake names. */
const checkSum = Effect.fnUntraced(function* (
  store: BucketStore,
  gameId: string,
  head: GameHead,
  published: Published
) {
  if (head.number !== published?.number || sumOfCommit(head) === published.sum) return head
  return yield* store.damaged(commitKey(roomPath(gameId), head.number), unlikeLake)
})

/** Reads the newest commit of a game; null if it has none. Fails if the lake names a commit that is missing. */
export const readGame = Effect.fnUntraced(function* (store: BucketStore, gameId: string, published?: Published) {
  const head = yield* readHead(store, gameLog(gameId), published?.number)
  return head === null ? null : yield* checkSum(store, gameId, head, published)
})

/** Reads the commit of a game that the lake names. */
export const readPublished = Effect.fnUntraced(function* (
  store: BucketStore,
  gameId: string,
  published: NonNullable<Published>
) {
  const key = commitKey(roomPath(gameId), published.number)
  const found = yield* readCommit(store, gameLog(gameId), published.number)
  return yield* checkSum(store, gameId, found ?? (yield* store.damaged(key, missing)), published)
})

/** Opens the files that a commit names: those of runs by month, and the others. Lists are read on demand. */
export const openFiles = (
  store: BucketStore,
  gameId: string | null,
  { files, months }: RoomFiles,
  /** Lists that were read, by checksum. Commits share them. */
  read = { months: new Map<string, Month>(), folders: new Map<string, StoredFiles>() }
) => {
  const kind = gameId === null ? "runs" : "month"
  const fits = isMonthOf(gameId)

  const month = Effect.fnUntraced(function* (name: string) {
    const ref = months[name] ?? { folders: {} }
    if ("folders" in ref) return ref
    const found =
      read.months.get(ref.sha256) ?? (yield* fetchDocument(store, { gameId, kind, ref, schema: Month, fits }))
    read.months.set(ref.sha256, found)
    return found
  })

  /** Returns the files of a folder. */
  const list = Effect.fnUntraced(function* (folder: ListedFolder | StoredFiles) {
    if (!("list" in folder)) return folder
    const ref = folder.list
    const found =
      read.folders.get(ref.sha256) ?? (yield* fetchDocument(store, { gameId, kind: "list", ref, schema: StoredFiles }))
    read.folders.set(ref.sha256, found)
    return { ...found, files: { ...found.files, ...folder.own } } satisfies StoredFiles
  })

  /** Returns a folder by its path in a home; null if the commit has none. */
  const folder = (path: string) => Effect.map(month(monthOfFolder(path)), ({ folders }) => folders[path] ?? null)

  /** Returns a file by its place in a home; null if the commit has none there. */
  const find = Effect.fnUntraced(function* (place: Place) {
    const found = place.folder === "" ? files : (yield* month(monthOfPlace(place))).folders[place.folder]
    if (found === undefined) return null
    return filesIn(place, yield* list(found)).find(({ name }) => name === place.name) ?? null
  })

  return { gameId, files, months, kind, month, list, folder, find, read }
}

/** The files that a commit names. */
export type StoredRoom = ReturnType<typeof openFiles>

/** Opens a commit of a game; null for a game without commits. `of` shares its lists. */
export const openGame = (
  store: BucketStore,
  gameId: GameCommit["gameId"],
  head: GameHead | null,
  of?: Pick<StoredRoom, "read">
) => {
  const state: Draft<GameCommit> = head?.commit ?? emptyGame(gameId)
  return { ...openFiles(store, gameId, state, of?.read), gameId, head, state }
}

export type OpenGame = ReturnType<typeof openGame>

/** Opens a commit of the lake; null if there is none. */
export const openLake = (store: BucketStore, head: LakeHead | null, of?: Pick<StoredRoom, "read">) => {
  return { ...openFiles(store, null, head?.commit ?? emptyLake, of?.read), head }
}

export type OpenLake = ReturnType<typeof openLake>

/** Reads the newest commits of all games. Those of damaged logs are missing. */
export const readGames = Effect.fnUntraced(function* (store: BucketStore, lake: LakeHead | null = null) {
  const heads = new Map<string, GameHead>()
  for (const gameId of yield* store.folders("games")) {
    const read = readGame(store, gameId, lake?.commit.games[gameId])
    const head = yield* Effect.catchIf(read, isLost, () => Effect.succeed(null))
    if (head !== null) heads.set(gameId, head)
  }
  return heads
})

/** Reads the newest commit of the lake; null if nothing was ever published. `known` is a number that a game has seen. */
export const readLake = (store: BucketStore, known = 0) => readHead(store, lakeLog, known)

/** The key that a check of the store reads. It need not exist. */
export const anyLakeKey = commitKey(lakeLog.room, 1)
