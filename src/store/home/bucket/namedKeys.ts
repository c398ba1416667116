import { Effect } from "effect"
import type { BucketStore, FoundObject } from "./BucketStore.ts"
import { type BucketFailed, missing } from "./BucketFailed.ts"
import { keyOfFile, listKey, partOfFile } from "./bucketKeys.ts"
import { filesIn, type GameCommit, isDamaged, type LakeCommit, type StoredFiles } from "./documents.ts"
import { commitsOfFronts } from "./frontObject.ts"
import { gameLog, lakeLog, openRoom, readGame, readLake } from "./gameInBucket.ts"
import {
  commitKey,
  readCommit,
  type CommitBase,
  type CommitLog,
  continueLog,
  listNumbers,
  type Stored
} from "./log/commitLog.ts"
import { retainedMillis, newAttempt, openFolder, unreferencedObjects } from "./log/objects.ts"

/** Returns the number of the commit that was the newest one a week ago; the lowest one if all are younger. */
export const headOfLastWeek = Effect.fnUntraced(function* (store: BucketStore, room: string, nowMillis: number) {
  const all = yield* listNumbers(store, room)
  const old = all.filter(({ writtenMillis }) => nowMillis - writtenMillis > retainedMillis)
  return old.at(-1)?.number ?? all[0]?.number ?? 1
})

/**
 * Garbage-collects a log. The commit says from which number on commits are retained. Then the commits below it are
 * deleted, lowest first, and objects of silent attempts that no retained commit names. The objects are listed before
 * the commit: a runner that was suspended has lost its number to the commit, and stores its objects again.
 */
export const collectLog = Effect.fn("collectLog")(function* <A extends CommitBase>(
  store: BucketStore,
  log: CommitLog<A>,
  options: {
    readonly from: Stored<A> | null
    readonly lowest: number
    /** Returns the keys that a commit names, and any others. Of the newest one, all of them must be known. */
    readonly namedBy: (commit: A, isNewest: boolean) => Effect.Effect<{ keys(): Iterable<string> }, BucketFailed>
    readonly nowMillis: number
  }
) {
  const { from, namedBy, nowMillis } = options
  let garbage: ReadonlyArray<FoundObject> = []
  let commits: ReadonlyArray<number> = []
  const next = Effect.fnUntraced(function* (base: Stored<A> | null) {
    if (base === null) return null
    const lowest = Math.max(options.lowest, base.commit.lowest)
    const folders = [`${log.room}/objects/`, openFolder(log.room)]
    const objects = (yield* Effect.forEach(folders, (folder) => store.list(folder))).flat()
    const named = new Set<string>()
    for (let number = lowest; number <= base.number; number++) {
      const stored = yield* readCommit(store, log, number)
      // A missing commit may have named any of the objects, so none is deleted.
      if (stored === null) return yield* store.damaged(commitKey(log.room, number), missing)
      for (const key of (yield* namedBy(stored.commit, number === base.number)).keys()) named.add(key)
    }
    garbage = unreferencedObjects(objects, named, nowMillis).filter(({ isOld }) => isOld)
    commits = (yield* listNumbers(store, log.room)).flatMap(({ number }) => (number < lowest ? [number] : []))
    return garbage.length + commits.length === 0 ? null : { ...base.commit, lowest }
  })
  const { head, isOwn } = yield* continueLog(store, log, { from, attempt: yield* newAttempt, next })
  if (!isOwn) return { head, deleted: 0 }
  for (const number of commits) yield* store.remove(commitKey(log.room, number))
  yield* Effect.forEach(garbage, ({ path }) => store.remove(path), { concurrency: 8, discard: true })
  return { head, deleted: garbage.length }
})

/** Keys of objects with their sizes, of packs with their minimum sizes; null for a list, which is validated when it is read. */
export type NamedKeys = Map<string, number | null>

export type UnreadableDocuments = Map<string, BucketFailed>

/**
 * Adds the keys of all objects that a commit of a game or of the lake names. Lists that another commit has named are not
 * read again. `unreadable` records unreadable ones; absent: they fail.
 */
export const nameCommit = Effect.fnUntraced(function* (
  store: BucketStore,
  commit: GameCommit | LakeCommit,
  named: NamedKeys,
  unreadable?: UnreadableDocuments
) {
  const gameId = "gameId" in commit ? commit.gameId : null
  const { list, month } = openRoom(store, gameId, commit)
  /** Names a list, and reads it; null if it was named before, or is unreadable. */
  const read = <A>(key: string, reading: Effect.Effect<A, BucketFailed>) => {
    if (named.has(key)) return Effect.succeed(null)
    named.set(key, null)
    return Effect.catchIf(
      reading,
      (error) => unreadable !== undefined && isDamaged(error),
      (error) =>
        Effect.sync(() => {
          unreadable?.set(key, error)
          // A later commit that must know the list reads it again.
          named.delete(key)
          return null
        })
    )
  }
  const add = (folder: string, of: StoredFiles | null) => {
    for (const file of of === null ? [] : filesIn({ gameId, folder }, of)) {
      const key = keyOfFile(file)
      named.set(key, Math.max(named.get(key) ?? 0, (partOfFile(file)?.offset ?? 0) + file.sizeBytes))
    }
  }
  add("", commit.files)
  yield* Effect.forEach(
    Object.entries(commit.months),
    Effect.fnUntraced(function* ([name, ref]) {
      const ofMonth = "folders" in ref ? ref : yield* read(listKey(gameId, "month", ref), month(name))
      for (const [folder, found] of Object.entries(ofMonth?.folders ?? {})) {
        if ("list" in found) add(folder, { attempt: found.list.attempt, files: found.own })
        add(folder, "list" in found ? yield* read(listKey(gameId, "list", found.list), list(found)) : found)
      }
    }),
    { concurrency: 8, discard: true }
  )
})

/**
 * Garbage-collects the log of the lake, then that of each game. The lake retains the commit that was the newest one a
 * week ago, and those that the last two fronts are of; a game retains the commit that the first of these names.
 */
export const sweepBucket = Effect.fn("sweepBucket")(function* (store: BucketStore, nowMillis: number) {
  for (const { path, writtenMillis } of yield* store.list("probes/"))
    if (nowMillis - writtenMillis > retainedMillis) yield* store.remove(path)
  const from = yield* readLake(store)
  if (from === null) return { deleted: 0 }
  /** Returns the keys that a commit names, and those of the commits of its log before. */
  const makeNaming = () => {
    const named: NamedKeys = new Map()
    // An unreadable list of an earlier commit is not deleted: a later version may have written it.
    const unreadable: UnreadableDocuments = new Map()
    return (commit: GameCommit | LakeCommit, isNewest: boolean) =>
      Effect.as(nameCommit(store, commit, named, isNewest ? undefined : unreadable), {
        keys: () => [...named.keys(), ...unreadable.keys()]
      })
  }
  const oldest = Math.min(yield* headOfLastWeek(store, lakeLog.room, nowMillis), ...(yield* commitsOfFronts(store)))
  const ofLake = yield* collectLog(store, lakeLog, { from, lowest: oldest, namedBy: makeNaming(), nowMillis })
  const lowest = ofLake.head?.commit.lowest ?? 1
  const first = yield* readCommit(store, lakeLog, lowest)
  if (first === null) return yield* store.damaged(commitKey(lakeLog.room, lowest), missing)
  let { deleted } = ofLake
  for (const gameId of yield* store.folders("games")) {
    const ofGame = {
      from: yield* readGame(store, gameId, from.commit.games[gameId]),
      lowest: first.commit.games[gameId]?.number ?? 1
    }
    deleted += (yield* collectLog(store, gameLog(gameId), { ...ofGame, namedBy: makeNaming(), nowMillis })).deleted
  }
  return { deleted }
})
