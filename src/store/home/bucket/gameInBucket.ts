import { Effect } from "effect"
import type { BucketStore } from "./BucketStore.ts"
import {
  fetchList,
  filesIn,
  isDamaged,
  GameCommit,
  LakeCommit,
  type ListedFolder,
  type Month,
  type RoomFiles,
  type StoredFiles
} from "./documents.ts"
import { monthOfPlace, type Place, roomPath } from "./bucketKeys.ts"
import {
  type CommitLog,
  commitKey,
  type Draft,
  readCommit,
  readHead,
  type Stored,
  sumOfCommit,
  unlikeLake
} from "./log/commitLog.ts"
import { missing } from "./BucketFailed.ts"

export type GameHead = Stored<GameCommit>
export type LakeHead = Stored<LakeCommit>

/** A commit of the lake as it names a commit of a game; undefined if nothing of the game is published. */
export type Published = LakeCommit["games"][string] | undefined

export const lakeLog: CommitLog<LakeCommit> = { room: roomPath(null), schema: LakeCommit }
export const gameLog = (gameId: string): CommitLog<GameCommit> => ({
  room: roomPath(gameId),
  schema: GameCommit,
  fits: (commit) => commit.gameId === gameId
})

const noFiles: RoomFiles = { months: {}, files: { attempt: "", files: {} } }
export const emptyLake: Draft<LakeCommit> = { lowest: 1, sequence: 0, games: {}, ...noFiles }
const emptyState = { live: null, published: [], held: [], steps: [], ...noFiles }
const emptyGame = (gameId: string): Draft<GameCommit> => ({ lowest: 1, gameId, lake: 0, ...emptyState, report: null })

/** True if two commits differ in notes alone, such as a mark of a night or a garbage collection. */
export const isSameState = (a: GameHead | null, b: GameHead | null): boolean => {
  const parts = (head: GameHead | null) => {
    const { files, held, live, months, published, steps } = head?.commit ?? emptyState
    return JSON.stringify([live, published, held, steps, months, files])
  }
  return parts(a) === parts(b)
}

/** Fails if a commit is not the one that the lake names. */
const checkSum = (store: BucketStore, gameId: string, head: GameHead, published: Published) =>
  head.number !== published?.number || sumOfCommit(head) === published.sum
    ? Effect.succeed(head)
    : Effect.fail(store.damaged(commitKey(roomPath(gameId), head.number), unlikeLake))

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
  const found = yield* readCommit(store, gameLog(gameId), published.number)
  if (found === null) return yield* store.damaged(commitKey(roomPath(gameId), published.number), missing)
  return yield* checkSum(store, gameId, found, published)
})

/** Opens a room: the files that a commit of a game or of the lake names. Lists are read on demand. */
export const openRoom = (
  store: BucketStore,
  gameId: string | null,
  { files, months }: RoomFiles,
  /** Lists that were read, by checksum. Commits share them. */
  read = { months: new Map<string, Month>(), folders: new Map<string, StoredFiles>() }
) => {
  const month = Effect.fnUntraced(function* (name: string) {
    const ref = months[name] ?? { folders: {} }
    if ("folders" in ref) return ref
    const found = read.months.get(ref.sha256) ?? (yield* fetchList(store, gameId, "month", ref))
    read.months.set(ref.sha256, found)
    return found
  })

  const list = Effect.fnUntraced(function* (folder: ListedFolder | StoredFiles) {
    if (!("list" in folder)) return folder
    const { list: ref, own } = folder
    const found = read.folders.get(ref.sha256) ?? (yield* fetchList(store, gameId, "list", ref))
    read.folders.set(ref.sha256, found)
    return { ...found, files: { ...found.files, ...own } } satisfies StoredFiles
  })

  /** Returns the folders of these months, by their paths in a home; default: of all months. */
  const folders = (names = Object.keys(months)) =>
    Effect.map(Effect.forEach(names, month, { concurrency: 8 }), (found) =>
      found.flatMap((one) => Object.entries(one.folders))
    )

  /** Returns a folder by its path in a home; null if the commit has none. */
  const folder = (path: string) =>
    Effect.map(month(monthOfPlace({ folder: path })), (found) => found.folders[path] ?? null)

  /** Returns a file by its place in a home; null if the commit has none there. */
  const find = Effect.fnUntraced(function* (place: Place) {
    const found = place.folder === "" ? files : (yield* month(monthOfPlace(place))).folders[place.folder]
    if (found === undefined) return null
    return filesIn(place, yield* list(found)).find(({ name }) => name === place.name) ?? null
  })

  return { gameId, files, months, month, list, folders, folder, find, read }
}

export type Room = ReturnType<typeof openRoom>

/** Opens a commit of a game; null for a game without commits. `of` shares its lists. */
export const openGame = (store: BucketStore, gameId: string, head: GameHead | null, of?: Pick<Room, "read">) => {
  const state: Draft<GameCommit> = head?.commit ?? emptyGame(gameId)
  const { held, live } = state
  return {
    ...openRoom(store, gameId, state, of?.read),
    gameId,
    head,
    state,
    snapshots: live === null ? held : [live, ...held]
  }
}

export type OpenGame = ReturnType<typeof openGame>

/** Opens a commit of the lake; null if there is none. */
export const openLake = (store: BucketStore, head: LakeHead | null, of?: Pick<Room, "read">) => ({
  ...openRoom(store, null, head?.commit ?? emptyLake, of?.read),
  head
})

export type OpenLake = ReturnType<typeof openLake>

/** Reads the newest commits of all games. Those of damaged logs are missing. */
export const readGames = Effect.fnUntraced(function* (store: BucketStore, lake: LakeHead | null = null) {
  const heads = new Map<string, GameHead>()
  for (const gameId of yield* store.folders("games")) {
    const read = readGame(store, gameId, lake?.commit.games[gameId])
    const head = yield* Effect.catchIf(read, isDamaged, () => Effect.succeed(null))
    if (head !== null) heads.set(gameId, head)
  }
  return heads
})

/** Reads the newest commit of the lake; null if nothing was ever published. `known` is a number that a game has seen. */
export const readLake = (store: BucketStore, known = 0) => readHead(store, lakeLog, known)

/** The number of the newest commit of the lake that any of these games has seen. */
export const lastSeen = (states: Iterable<Pick<GameCommit, "lake">>): number =>
  Math.max(0, ...Array.from(states, ({ lake }) => lake))

/** The key that a check of the store reads. It need not exist. */
export const anyLakeKey = commitKey(lakeLog.room, 1)
