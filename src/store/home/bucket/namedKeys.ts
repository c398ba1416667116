import { Effect } from "effect"
import type { BucketStore } from "./BucketStore.ts"
import type { BucketFailed } from "./BucketFailed.ts"
import { documentKey, fileOf, keyOfFile, reportKey } from "./bucketKeys.ts"
import type { GameCommit, LakeCommit, StoredFiles } from "./documents.ts"
import { openGame, openLake, type StoredRoom } from "./gameInBucket.ts"

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
