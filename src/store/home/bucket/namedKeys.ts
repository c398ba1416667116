import { Effect } from "effect"
import type { BucketStore } from "./BucketStore.ts"
import type { BucketFailed } from "./BucketFailed.ts"
import { fetchDocument } from "./bucketDocuments.ts"
import { documentKey, reportKey } from "./bucketKeys.ts"
import { type GameCommit, type LakeCommit, MonthOfRuns, type StoredFile } from "./documents.ts"
import { fetchList, openGame } from "./gameInBucket.ts"
import { keyOfKnown, storedParts } from "./hollowFiles.ts"

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

/** Adds the keys of all objects that a commit of a game names. Lists that another commit has named are not read again. */
export const nameGame = Effect.fnUntraced(function* (
  store: BucketStore,
  commit: GameCommit,
  named: NamedKeys,
  lost?: LostDocuments
) {
  const { files, gameId, months, part, report } = commit
  const read = readOr(lost)
  const { month } = openGame(store, gameId, { number: commit.number, text: null, commit })
  const add = (folder: string, attempt: string, of: Record<string, StoredFile>) => {
    for (const [name, file] of Object.entries(of))
      named.set(keyOfKnown({ gameId, folder, name, ...storedParts({ attempt }, file) }), file[1])
  }
  add("", files.attempt, files.files)
  for (const one of [report, part?.report]) if (one != null) named.set(reportKey(gameId, one), one.file[1])
  yield* Effect.forEach(
    Object.entries(months),
    Effect.fnUntraced(function* ([name, ref]) {
      const ofMonth = documentKey(gameId, "month", ref)
      if (named.has(ofMonth)) return
      named.set(ofMonth, null)
      for (const [folder, found] of Object.entries((yield* read(ofMonth, month(name)))?.folders ?? {})) {
        if (!("list" in found)) {
          add(folder, found.attempt, found.files)
          continue
        }
        const list = documentKey(gameId, "list", found.list)
        if (named.has(list)) continue
        named.set(list, null)
        const listed = yield* read(list, fetchList(store, gameId, found))
        if (listed !== null) add(folder, listed.attempt, listed.files)
      }
    }),
    { concurrency: 8, discard: true }
  )
})

/** Adds the keys of all objects that a commit of the lake names. */
export const nameLake = Effect.fnUntraced(function* (
  store: BucketStore,
  { files, runs }: LakeCommit,
  named: NamedKeys,
  lost?: LostDocuments
) {
  const read = readOr(lost)
  const add = (name: string, file: StoredFile, attempt: string) =>
    named.set(keyOfKnown({ gameId: null, folder: "", name, ...storedParts({ attempt }, file) }), file[1])
  for (const [name, file] of Object.entries(files.files)) add(name, file, files.attempt)
  for (const ref of Object.values(runs)) {
    const key = documentKey(null, "runs", ref)
    if (named.has(key)) continue
    named.set(key, null)
    const found = yield* read(key, fetchDocument(store, { gameId: null, kind: "runs", ref, schema: MonthOfRuns }))
    for (const [run, file] of Object.entries(found?.runs ?? {})) add(`runs/${run}.json`, file, found?.attempt ?? "")
  }
})
