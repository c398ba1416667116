import { Effect } from "effect"
import type { BucketStore } from "./BucketStore.ts"
import { type BucketFailed, nextOfMade } from "./BucketFailed.ts"
import { documentKey, fileOf, keyOfFile, reportKey } from "./bucketKeys.ts"
import type { GameCommit, LakeCommit, StoredFiles } from "./documents.ts"
import { openGame, openLake, type StoredRoom, gameLog, lakeLog, readGame, readLake } from "./gameInBucket.ts"
import { type Collected, collectLog, headOfLastWeek } from "./log/collectLog.ts"
import { commitDamaged, commitKey, missing, readCommit } from "./log/commitLog.ts"
import { retainedMillis } from "./log/objects.ts"

/** Keys of objects with their sizes; null for a list, which is validated when it is read. */
export type NamedKeys = Map<string, number | null>

/** Unreadable documents, by key. */
export type LostDocuments = Map<string, BucketFailed>

/** Reads a document; null if it is unreadable and `lost` can record it. Otherwise it fails. */
const readOr =
  (lost: LostDocuments | undefined) =>
  <A>(key: string, read: Effect.Effect<A, BucketFailed>) =>
    Effect.catchIf(
      read,
      ({ damage }) => lost !== undefined && damage !== undefined,
      (error) =>
        Effect.as(
          Effect.sync(() => lost?.set(key, error)),
          null
        )
    )

/** Adds the keys of all objects that a commit names. Lists that another commit has named are not read again. */
const nameFiles = Effect.fnUntraced(function* (
  { files, gameId, list, month, months, ofMonth }: StoredRoom,
  named: NamedKeys,
  lost: LostDocuments | undefined
) {
  const read = readOr(lost)
  const add = (folder: string, of: StoredFiles) => {
    for (const [name, stored] of Object.entries(of.files))
      named.set(keyOfFile(fileOf({ gameId, folder, name }, of, stored)), stored[1])
  }
  add("", files)
  yield* Effect.forEach(
    Object.entries(months),
    Effect.fnUntraced(function* ([name, ref]) {
      const keyOfMonth = documentKey(gameId, ofMonth.kind, ref)
      if (named.has(keyOfMonth)) return
      named.set(keyOfMonth, null)
      for (const [folder, found] of Object.entries((yield* read(keyOfMonth, month(name)))?.folders ?? {})) {
        const key = "list" in found ? documentKey(gameId, "list", found.list) : null
        if (key !== null && named.has(key)) continue
        if (key !== null) named.set(key, null)
        const listed = yield* key === null ? list(found) : read(key, list(found))
        if (listed !== null) add(folder, listed)
      }
    }),
    { concurrency: 8, discard: true }
  )
})

/** Adds the keys of all objects that a commit of a game names. */
export const nameGame = Effect.fnUntraced(function* (
  store: BucketStore,
  commit: GameCommit,
  named: NamedKeys,
  lost?: LostDocuments
) {
  const { gameId, number, part, report } = commit
  for (const one of [report, part?.report]) if (one != null) named.set(reportKey(gameId, one), one.file[1])
  yield* nameFiles(openGame(store, gameId, { number, text: null, commit }), named, lost)
})

/** Adds the keys of all objects that a commit of the lake names. */
export const nameLake = (store: BucketStore, commit: LakeCommit, named: NamedKeys, lost?: LostDocuments) =>
  nameFiles(openLake(store, { number: commit.number, text: null, commit }), named, lost)

/**
 * Garbage-collects the log of the lake, then that of each game. The lake retains the commit that was the newest one a
 * week ago; a game retains the commit that this one names.
 */
export const sweepBucket = Effect.fn("sweepBucket")(function* (store: BucketStore, nowMillis: number) {
  const done: Array<Collected> = []
  for (const { path, writtenMillis } of yield* store.list("probes/"))
    if (nowMillis - writtenMillis > retainedMillis) yield* store.remove(path)
  const lake = yield* readLake(store)
  if (lake === null) return { deleted: 0, deletedBytes: 0 }
  const named: NamedKeys = new Map()
  const keysOf = (naming: Effect.Effect<void, Effect.Error<ReturnType<typeof nameGame>>>) =>
    Effect.map(naming, () => [...named.keys()])
  const collected = yield* collectLog(store, lakeLog, {
    from: lake,
    lowest: yield* headOfLastWeek(store, lakeLog.room, nowMillis),
    namedBy: (commit, isNewest) => keysOf(nameLake(store, commit, named, isNewest ? undefined : new Map())),
    nowMillis
  })
  done.push(collected)
  const lowest = collected.head?.commit.lowest ?? 1
  const key = commitKey(lakeLog.room, lowest)
  const first = (yield* readCommit(store, lakeLog, lowest)) ?? (yield* commitDamaged(store, key, missing, nextOfMade))
  for (const gameId of yield* store.folders("games")) {
    named.clear()
    const collectedGame = yield* collectLog(store, gameLog(gameId), {
      from: yield* readGame(store, gameId, lake.commit.games[gameId]),
      lowest: first.commit.games[gameId]?.number ?? 1,
      namedBy: (commit, isNewest) => keysOf(nameGame(store, commit, named, isNewest ? undefined : new Map())),
      nowMillis
    })
    done.push(collectedGame)
  }
  return {
    deleted: done.reduce((sum, { deleted }) => sum + deleted, 0),
    deletedBytes: done.reduce((sum, { deletedBytes }) => sum + deletedBytes, 0)
  } satisfies Collected
})
