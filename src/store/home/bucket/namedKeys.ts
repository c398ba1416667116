import { Effect } from "effect"
import { type BucketStore } from "./BucketStore.ts"
import { BucketFailed } from "./BucketFailed.ts"
import { fetchDocument } from "./bucketDocuments.ts"
import { documentKey, gameKey, lakeKey } from "./bucketKeys.ts"
import { emptyLake } from "./checkOut.ts"
import { type GameDocument, type LakeDocument, MonthOfRuns, type Ref, type StoredFile } from "./documents.ts"
import { fetchList, openState, readKnownGame } from "./gameInBucket.ts"
import { readLake } from "./lakeInBucket.ts"
import { nextOfNothing } from "./nextOfDamage.ts"
import { keyOfKnown, storedParts } from "./hollowFiles.ts"

/** Keys of objects with their sizes; null for a document, which is validated when it is read. */
type NamedKeys = Map<string, number | null>

/** Unreadable documents, by key. */
export type LostDocuments = Map<string, BucketFailed>

interface Naming {
  readonly store: BucketStore
  readonly named: NamedKeys
  readonly read: ReturnType<typeof readerOf>
  /** True if the bucket has any object of the game. */
  readonly isThere?: boolean
}

/** Reads a document; null if it is unreadable and `lost` can record it. Otherwise it fails. */
const readerOf =
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

/** Adds the keys of all objects that a state of a game names. */
const nameState = Effect.fnUntraced(function* (
  { isThere = true, named, read, store }: Naming,
  gameId: string,
  ref: Ref
) {
  const key = documentKey(gameId, "state", ref)
  if (named.has(key)) return
  named.set(key, null)
  const opening = openState(store, gameId, ref)
  const opened = yield* read(
    key,
    isThere ? opening : Effect.mapError(opening, (error) => new BucketFailed({ ...error, next: nextOfNothing(gameId) }))
  )
  if (opened === null) return
  const add = (folder: string, attempt: string, files: Record<string, StoredFile>) => {
    for (const [name, file] of Object.entries(files))
      named.set(keyOfKnown({ gameId, folder, name, ...storedParts({ attempt }, file) }), file[1])
  }
  add("", opened.state.files.attempt, opened.state.files.files)
  yield* Effect.forEach(
    Object.entries(opened.state.months),
    Effect.fnUntraced(function* ([name, month]) {
      const ofMonth = documentKey(gameId, "month", month)
      named.set(ofMonth, null)
      for (const [folder, found] of Object.entries((yield* read(ofMonth, opened.month(name)))?.folders ?? {})) {
        if (!("list" in found)) {
          add(folder, found.attempt, found.files)
          continue
        }
        const list = documentKey(gameId, "list", found.list)
        if (named.has(list)) continue
        named.set(list, null)
        const files = yield* read(list, fetchList(store, gameId, found))
        if (files !== null) add(folder, files.attempt, files.files)
      }
    }),
    { concurrency: 8, discard: true }
  )
})

const nameLake = Effect.fnUntraced(function* ({ named, read, store }: Naming, lake: LakeDocument) {
  const shared = (name: string, file: StoredFile, attempt: string) =>
    named.set(keyOfKnown({ gameId: null, folder: "", name, ...storedParts({ attempt }, file) }), file[1])
  for (const [name, file] of Object.entries(lake.files.files)) shared(name, file, lake.files.attempt)
  for (const ref of Object.values(lake.runs)) {
    const key = documentKey(null, "runs", ref)
    named.set(key, null)
    const found = yield* read(key, fetchDocument(store, { gameId: null, kind: "runs", ref, schema: MonthOfRuns }))
    for (const [run, file] of Object.entries(found?.runs ?? {})) shared(`runs/${run}.json`, file, found?.attempt ?? "")
  }
  for (const { list } of lake.leaving) named.set(documentKey(null, "leaving", list), null)
})

/**
 * Returns all objects referenced by any document, by key, plus the documents that are updated by compare-and-swap, as
 * read at that time. If `lost` is given, unreadable documents are added to it, and their references are skipped.
 */
export const namedKeys = Effect.fn("namedKeys")(function* (store: BucketStore, lost?: LostDocuments) {
  const named: NamedKeys = new Map([[lakeKey, null]])
  const read = readerOf(lost)
  const naming: Naming = { named, read, store }
  const lake = (yield* read(lakeKey, readLake(store))) ?? emptyLake
  yield* nameLake(naming, lake)
  const games = new Map<string, GameDocument>()
  const there = yield* store.folders("games")
  // Published objects are referenced, even if the game's document or all of the game is missing.
  for (const [gameId, { state }] of Object.entries(lake.games))
    yield* nameState({ ...naming, isThere: there.includes(gameId) }, gameId, state)
  for (const gameId of there) {
    const game = yield* read(gameKey(gameId), readKnownGame(store, gameId, lake.games[gameId]))
    if (game !== null) named.set(gameKey(gameId), null)
    if (game === null) continue
    games.set(gameId, game)
    const { part, report, state } = game
    for (const one of [report, part?.report])
      if (one != null)
        named.set(
          keyOfKnown({
            gameId: null,
            folder: "",
            name: `runs/${one.run}.json`,
            ...storedParts({ attempt: "" }, one.file)
          }),
          one.file[1]
        )
    for (const { list } of game.leaving) named.set(documentKey(gameId, "leaving", list), null)
    if (state !== null) yield* nameState(naming, gameId, state)
  }
  return { lake, games, named }
})
