import { DateTime, Effect } from "effect"
import type { BucketStore, FoundObject } from "./BucketStore.ts"
import { fetchDocument, storeDocument, swapDocument } from "./bucketDocuments.ts"
import { attemptOf, gameKey, gameOf, lakeKey } from "./bucketKeys.ts"
import { GameDocument, LakeDocument, type Leaving } from "./documents.ts"
import { namedKeys } from "./namedKeys.ts"
import { LeavingKeys } from "./swapGame.ts"

/** The minimum age of unreferenced objects before deletion. A runner that was silent for longer begins again. */
export const retainedMillis = 7 * 24 * 3600 * 1000

/** Returns the unreferenced objects of attempts. `isOld` is true if nothing of the attempt was written for a week. */
export const litterOf = (all: ReadonlyArray<FoundObject>, named: ReadonlyMap<string, unknown>, nowMillis: number) => {
  const newest = new Map<string, number>()
  for (const { path, writtenMillis } of all) {
    const attempt = attemptOf(path)
    if (attempt !== null) newest.set(attempt, Math.max(newest.get(attempt) ?? 0, writtenMillis))
  }
  return all.flatMap(({ path, sizeBytes, writtenMillis }) => {
    const attempt = attemptOf(path) ?? (path.startsWith("probes/") ? path : null)
    if (attempt === null || named.has(path)) return []
    const isOld = nowMillis - (newest.get(attempt) ?? writtenMillis) > retainedMillis
    return [{ path, attempt, sizeBytes, isOld }]
  })
}

/** The result of a garbage collection. */
export interface Swept {
  /** The number of unreferenced objects that are scheduled for deletion in a week. */
  readonly listed: number
  readonly deleted: number
  readonly deletedBytes: number
}

const sameWriters = (
  a: { readonly writers: ReadonlyArray<string> },
  b: { readonly writers: ReadonlyArray<string> } | null
) => a.writers.join() === b?.writers.join()

/**
 * Garbage-collects in two steps: lists unreferenced objects in the document of their game, and deletes those that are
 * still unreferenced a week later. A late publisher finds its objects listed, or the document changed, and fails.
 */
export const sweepBucket = Effect.fn("sweepBucket")(function* (store: BucketStore, attempt: string, nowMillis: number) {
  // After this swap, publishers with an older copy of the document must read it again.
  yield* swapDocument(store, lakeKey, LakeDocument, (there) =>
    Effect.succeed(there === null ? null : { ...there, prunes: there.prunes + 1 })
  )
  const { games, lake, named } = yield* namedKeys(store)
  const all = (yield* Effect.forEach(["games/", "shared/", "probes/"], (path) => store.list(path), {
    concurrency: 3
  })).flat()
  const litter = litterOf(all, named, nowMillis)
  const unnamed = new Map(litter.map((one) => [one.path, one]))
  const deletedKeys = new Set<string>()
  let listed = 0
  let deleted = 0
  let deletedBytes = 0

  const nextLeaving = Effect.fnUntraced(function* (gameId: string | null, leaving: ReadonlyArray<Leaving>) {
    const known = new Set<string>()
    const stay: Array<Leaving> = []
    for (const one of leaving) {
      const { keys } = yield* fetchDocument(store, { gameId, kind: "leaving", ref: one.list, schema: LeavingKeys })
      const isDue = nowMillis - Date.parse(one.at) > retainedMillis
      const gone = isDue ? keys.flatMap((key) => unnamed.get(key) ?? []) : []
      yield* Effect.forEach(gone, ({ path }) => store.remove(path), { concurrency: 8, discard: true })
      for (const { path } of gone) deletedKeys.add(path)
      deleted += gone.length
      deletedBytes += gone.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0)
      if (isDue) continue
      for (const key of keys) known.add(key)
      stay.push(one)
    }
    const fresh = litter.flatMap(({ isOld, path }) =>
      isOld && gameOf(path) === gameId && !known.has(path) && !deletedKeys.has(path) ? [path] : []
    )
    if (fresh.length === 0) return stay
    const list = yield* storeDocument(store, {
      gameId,
      kind: "leaving",
      attempt,
      schema: LeavingKeys,
      value: { keys: fresh }
    })
    listed += fresh.length
    return [...stay, { at: DateTime.formatIso(DateTime.makeUnsafe(nowMillis)), list, files: fresh.length }]
  })

  for (const [gameId, game] of games) {
    const leaving = yield* nextLeaving(gameId, game.leaving)
    if (leaving.length === 0 && game.leaving.length === 0) continue
    yield* swapDocument(store, gameKey(gameId), GameDocument, (there) =>
      Effect.succeed(there !== null && sameWriters(game, there) ? { ...there, leaving } : null)
    )
  }
  const leaving = yield* nextLeaving(null, lake.leaving)
  if (leaving.length > 0 || lake.leaving.length > 0)
    yield* swapDocument(store, lakeKey, LakeDocument, (there) =>
      Effect.succeed(there !== null && sameWriters(lake, there) ? { ...there, leaving } : null)
    )
  return { listed, deleted, deletedBytes } satisfies Swept
})
