import { Effect } from "effect"
import type { BucketStore } from "./BucketStore.ts"
import { type BucketFailed, missing } from "./BucketFailed.ts"
import { documentKey, keyOfFile, partOfFile } from "./bucketKeys.ts"
import { filesIn, type GameCommit, isLost, type LakeCommit, type StoredFiles } from "./documents.ts"
import { commitsOfFronts } from "./frontObject.ts"
import { openFiles, type StoredRoom, gameLog, lakeLog, readGame, readLake } from "./gameInBucket.ts"
import { type Collected, collectLog, headOfLastWeek } from "./log/collectLog.ts"
import { commitKey, readCommit } from "./log/commitLog.ts"
import { retainedMillis } from "./log/objects.ts"

/** Keys of objects with their sizes, of packs with their minimum sizes; null for a list, which is validated when it is read. */
export type NamedKeys = Map<string, number | null>

/** Unreadable documents, by key. */
export type LostDocuments = Map<string, BucketFailed>

/** Adds the keys of all objects that a commit names. Lists that another commit has named are not read again. */
const nameFiles = Effect.fnUntraced(function* (
  { files, gameId, kind, list, month, months }: StoredRoom,
  named: NamedKeys,
  lost: LostDocuments | undefined
) {
  /** Reads a list, by its key if it is a document; null if that was named before, or is unreadable and `lost` can record it. */
  const read = <A>(key: string | null, reading: Effect.Effect<A, BucketFailed>) => {
    if (key === null) return reading
    if (named.has(key)) return Effect.succeed(null)
    named.set(key, null)
    return Effect.catchIf(
      reading,
      (error) => lost !== undefined && isLost(error),
      (error) => Effect.sync(() => (lost?.set(key, error), null))
    )
  }
  const add = (folder: string, of: StoredFiles) => {
    for (const file of filesIn({ gameId, folder }, of)) {
      const key = keyOfFile(file)
      named.set(key, Math.max(named.get(key) ?? 0, (partOfFile(file)?.offset ?? 0) + file.sizeBytes))
    }
  }
  add("", files)
  yield* Effect.forEach(
    Object.entries(months),
    Effect.fnUntraced(function* ([name, ref]) {
      const ofMonth = yield* read("folders" in ref ? null : documentKey(gameId, kind, ref), month(name))
      for (const [folder, found] of Object.entries(ofMonth?.folders ?? {})) {
        if ("list" in found) add(folder, { attempt: found.list.attempt, files: found.own })
        const listed = yield* read("list" in found ? documentKey(gameId, "list", found.list) : null, list(found))
        if (listed !== null) add(folder, listed)
      }
    }),
    { concurrency: 8, discard: true }
  )
})

/** Adds the keys of all objects that a commit of a game or of the lake names. */
export const nameCommit = Effect.fnUntraced(function* (
  store: BucketStore,
  commit: GameCommit | LakeCommit,
  named: NamedKeys,
  lost?: LostDocuments
) {
  yield* nameFiles(openFiles(store, "gameId" in commit ? commit.gameId : null, commit), named, lost)
})

/**
 * Garbage-collects the log of the lake, then that of each game. The lake retains the commit that was the newest one a
 * week ago, and those that the last two fronts are of; a game retains the commit that the first of these names.
 */
export const sweepBucket = Effect.fn("sweepBucket")(function* (store: BucketStore, nowMillis: number) {
  for (const { path, writtenMillis } of yield* store.list("probes/"))
    if (nowMillis - writtenMillis > retainedMillis) yield* store.remove(path)
  const from = yield* readLake(store)
  if (from === null) return { deleted: 0, deletedBytes: 0 }
  /** Returns the keys that a commit names, and those of the commits of its log before. */
  const makeNaming = () => {
    const named: NamedKeys = new Map()
    return (commit: GameCommit | LakeCommit, isNewest: boolean) =>
      Effect.map(nameCommit(store, commit, named, isNewest ? undefined : new Map()), () => [...named.keys()])
  }
  const oldest = Math.min(yield* headOfLastWeek(store, lakeLog.room, nowMillis), ...(yield* commitsOfFronts(store)))
  const ofLake = yield* collectLog(store, lakeLog, { from, lowest: oldest, namedBy: makeNaming(), nowMillis })
  const done: Array<Collected> = [ofLake]
  const lowest = ofLake.head?.commit.lowest ?? 1
  const key = commitKey(lakeLog.room, lowest)
  const first = (yield* readCommit(store, lakeLog, lowest)) ?? (yield* store.damaged(key, missing))
  for (const gameId of yield* store.folders("games")) {
    const ofGame = {
      from: yield* readGame(store, gameId, from.commit.games[gameId]),
      lowest: first.commit.games[gameId]?.number ?? 1
    }
    done.push(yield* collectLog(store, gameLog(gameId), { ...ofGame, namedBy: makeNaming(), nowMillis }))
  }
  return {
    deleted: done.reduce((sum, { deleted }) => sum + deleted, 0),
    deletedBytes: done.reduce((sum, { deletedBytes }) => sum + deletedBytes, 0)
  } satisfies Collected
})
