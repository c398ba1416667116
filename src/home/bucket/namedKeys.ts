import { Effect } from "effect"
import { type BucketStore } from "./BucketStore.ts"
import { fetchDocument } from "./bucketDocuments.ts"
import { documentKey, gameKey, lakeKey } from "./bucketKeys.ts"
import { emptyLake } from "./checkOut.ts"
import { type GameDocument, type LakeDocument, MonthOfRuns, type Ref, type StoredFile } from "./documents.ts"
import { fetchList, openState, readGame, readKnownGame } from "./gameInBucket.ts"
import { readLake } from "./lakeInBucket.ts"
import { keyOfKnown, storedParts } from "./hollowFiles.ts"

/** Keys of objects, each with its bytes; null: it is a document, which says itself whether it is whole. */
type NamedKeys = Map<string, number | null>

/** Adds the keys of all objects that a state of a game names. */
const nameState = Effect.fnUntraced(function* (store: BucketStore, gameId: string, ref: Ref, named: NamedKeys) {
  const key = documentKey(gameId, "state", ref)
  if (named.has(key)) return
  named.set(key, null)
  const opened = yield* openState(store, gameId, ref)
  const add = (folder: string, attempt: string, files: Record<string, StoredFile>) => {
    for (const [name, file] of Object.entries(files))
      named.set(keyOfKnown({ gameId, folder, name, ...storedParts({ attempt }, file) }), file[1])
  }
  add("", opened.state.files.attempt, opened.state.files.files)
  yield* Effect.forEach(
    Object.entries(opened.state.months),
    Effect.fnUntraced(function* ([name, month]) {
      named.set(documentKey(gameId, "month", month), null)
      for (const [folder, found] of Object.entries((yield* opened.month(name)).folders)) {
        if (!("list" in found)) {
          add(folder, found.attempt, found.files)
          continue
        }
        const list = documentKey(gameId, "list", found.list)
        if (named.has(list)) continue
        named.set(list, null)
        const { attempt, files } = yield* fetchList(store, gameId, found)
        add(folder, attempt, files)
      }
    }),
    { concurrency: 8, discard: true }
  )
})

const nameLake = Effect.fnUntraced(function* (store: BucketStore, lake: LakeDocument, named: NamedKeys) {
  const shared = (name: string, file: StoredFile, attempt: string) =>
    named.set(keyOfKnown({ gameId: null, folder: "", name, ...storedParts({ attempt }, file) }), file[1])
  for (const [name, file] of Object.entries(lake.files.files)) shared(name, file, lake.files.attempt)
  for (const ref of Object.values(lake.runs)) {
    named.set(documentKey(null, "runs", ref), null)
    const { attempt, runs } = yield* fetchDocument(store, { gameId: null, kind: "runs", ref, schema: MonthOfRuns })
    for (const [run, file] of Object.entries(runs)) shared(`runs/${run}.json`, file, attempt)
  }
  for (const { list } of lake.leaving) named.set(documentKey(null, "leaving", list), null)
})

/** Every object that a document names, by its key, and the swapped documents as they were then. */
export const namedKeys = Effect.fn("namedKeys")(function* (store: BucketStore) {
  const named: NamedKeys = new Map([[lakeKey, null]])
  const lake = (yield* readLake(store)) ?? emptyLake
  yield* nameLake(store, lake, named)
  const games = new Map<string, GameDocument>()
  for (const gameId of yield* store.folders("games")) {
    const published = lake.games[gameId]?.state
    const game = yield* published === undefined ? readKnownGame(store, gameId, false) : readGame(store, gameId)
    // What is published stays, also if the game's own document is gone.
    if (published !== undefined) yield* nameState(store, gameId, published, named)
    if (game !== null || published !== undefined) named.set(gameKey(gameId), null)
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
    if (state !== null) yield* nameState(store, gameId, state, named)
  }
  return { lake, games, named }
})
