import { Effect } from "effect"
import type { BucketStore } from "./BucketStore.ts"
import { fetchDocument, isLost } from "./bucketDocuments.ts"
import { roomOf } from "./bucketKeys.ts"
import { GameCommit, LakeCommit, type ListedFolder, MonthOfGame, StoredFiles } from "./documents.ts"
import {
  type CommitLog,
  commitDamaged,
  commitKey,
  type Draft,
  readCommit,
  readHead,
  type Stored,
  sumOfCommit
} from "./log/commitLog.ts"
import { nextOfMade } from "./nextOfDamage.ts"
import { monthOfFolder, placeOf } from "./placeOf.ts"

export type GameHead = Stored<GameCommit>
export type LakeHead = Stored<LakeCommit>

/** A commit of the lake as it names a commit of a game; undefined if nothing of the game is published. */
type Published = LakeCommit["games"][string] | undefined

export const lakeLog: CommitLog<LakeCommit> = { room: roomOf(null), schema: LakeCommit }
export const gameLog = (gameId: string): CommitLog<GameCommit> => ({
  room: roomOf(gameId),
  schema: GameCommit,
  fits: (commit) => commit.gameId === gameId
})

export const emptyLake: Draft<LakeCommit> = {
  lowest: 1,
  sequence: 0,
  games: {},
  runs: {},
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

/** Fails if a commit is not the one that the lake names. */
const checkSum = Effect.fnUntraced(function* (
  store: BucketStore,
  gameId: string,
  head: GameHead,
  published: Published
) {
  if (head.number !== published?.number || sumOfCommit(head) === published.sum) return head
  const damage = "its bytes are not those that the lake names"
  return yield* commitDamaged(store, commitKey(roomOf(gameId), head.number), damage, nextOfMade)
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
  const key = commitKey(roomOf(gameId), published.number)
  const found = yield* readCommit(store, gameLog(gameId), published.number)
  return yield* checkSum(
    store,
    gameId,
    found ?? (yield* commitDamaged(store, key, "it is missing", nextOfMade)),
    published
  )
})

/** Opens a commit of a game, whose months are read on demand; null for a game without commits. */
export const openGame = (store: BucketStore, gameId: GameCommit["gameId"], head: GameHead | null) => {
  const state: Draft<GameCommit> = head?.commit ?? emptyGame(gameId)
  const months = new Map<string, MonthOfGame>()

  const month = Effect.fnUntraced(function* (name: string) {
    const known = months.get(name)
    if (known !== undefined) return known
    const ref = state.months[name]
    const found: MonthOfGame =
      ref === undefined
        ? { folders: {} }
        : yield* fetchDocument(store, {
            gameId,
            kind: "month",
            ref,
            schema: MonthOfGame,
            fits: ({ folders }) => Object.keys(folders).every((path) => placeOf(`${path}/file`)?.gameId === gameId)
          })
    months.set(name, found)
    return found
  })

  /** Returns a folder by its path in a home; null if the state has none. */
  const folder = (path: string) => Effect.map(month(monthOfFolder(path)), ({ folders }) => folders[path] ?? null)

  return { gameId, head, state, month, folder }
}

export type OpenGame = ReturnType<typeof openGame>

/** Downloads the files' list of a folder that has a separate document for it. */
export const fetchList = (store: BucketStore, gameId: string, { list }: ListedFolder) =>
  fetchDocument(store, { gameId, kind: "list", ref: list, schema: StoredFiles })

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
