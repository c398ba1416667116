import { Effect } from "effect"
import { type BucketFailed, missing } from "../BucketFailed.ts"
import type { BucketStore, FoundObject } from "../BucketStore.ts"
import { newAttempt, openFolder, retainedMillis, unreferencedObjects } from "./objects.ts"
import {
  type CommitBase,
  commitKey,
  type CommitLog,
  continueLog,
  listNumbers,
  readCommit,
  type Stored
} from "./commitLog.ts"

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
      // Nothing is deleted that a missing commit may name.
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
