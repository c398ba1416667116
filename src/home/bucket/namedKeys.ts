import { Effect } from "effect"
import { type BucketStore } from "./BucketStore.ts"
import { fetchDocument, readDocument } from "./bucketDocuments.ts"
import { documentKey, gameKey, lakeKey } from "./bucketKeys.ts"
import { emptyLake } from "./checkOut.ts"
import { type GameDocument, LakeDocument, MonthOfRuns, type Ref, type StoredFile } from "./documents.ts"
import { fetchList, openState, readGame } from "./gameInBucket.ts"
import { keyOfKnown, storedParts } from "./hollowFiles.ts"

/** Adds the keys of all objects that a state of a game names. */
const nameState = Effect.fnUntraced(function* (store: BucketStore, gameId: string, ref: Ref, named: Set<string>) {
  const key = documentKey(gameId, "state", ref)
  if (named.has(key)) return
  named.add(key)
  const opened = yield* openState(store, gameId, ref)
  const add = (folder: string, attempt: string, files: Record<string, StoredFile>) => {
    for (const [name, file] of Object.entries(files))
      named.add(keyOfKnown({ gameId, folder, name, ...storedParts({ attempt }, file) }))
  }
  add("", opened.state.files.attempt, opened.state.files.files)
  yield* Effect.forEach(
    Object.entries(opened.state.months),
    Effect.fnUntraced(function* ([name, month]) {
      named.add(documentKey(gameId, "month", month))
      for (const [folder, found] of Object.entries((yield* opened.month(name)).folders)) {
        if (!("list" in found)) {
          add(folder, found.attempt, found.files)
          continue
        }
        const list = documentKey(gameId, "list", found.list)
        if (named.has(list)) continue
        named.add(list)
        const { attempt, files } = yield* fetchList(store, gameId, found)
        add(folder, attempt, files)
      }
    }),
    { concurrency: 8, discard: true }
  )
})

const nameLake = Effect.fnUntraced(function* (store: BucketStore, lake: LakeDocument, named: Set<string>) {
  const shared = (name: string, file: StoredFile, attempt: string) =>
    named.add(keyOfKnown({ gameId: null, folder: "", name, ...storedParts({ attempt }, file) }))
  for (const [name, file] of Object.entries(lake.files.files)) shared(name, file, lake.files.attempt)
  for (const ref of Object.values(lake.runs)) {
    named.add(documentKey(null, "runs", ref))
    const { attempt, runs } = yield* fetchDocument(store, { gameId: null, kind: "runs", ref, schema: MonthOfRuns })
    for (const [run, file] of Object.entries(runs)) shared(`runs/${run}.json`, file, attempt)
  }
  for (const { list } of lake.leaving) named.add(documentKey(null, "leaving", list))
})

/** Every object that a document names, by its key, and the swapped documents as they were then. */
export const namedKeys = Effect.fn("namedKeys")(function* (store: BucketStore) {
  const named = new Set<string>([lakeKey])
  const lake = (yield* readDocument(store, lakeKey, LakeDocument))?.document ?? emptyLake
  yield* nameLake(store, lake, named)
  const games = new Map<string, GameDocument>()
  for (const gameId of yield* store.folders("games")) {
    const game = yield* readGame(store, gameId)
    if (game === null) continue
    games.set(gameId, game)
    named.add(gameKey(gameId))
    const { part, report, state } = game
    for (const one of [report, part?.report])
      if (one != null)
        named.add(
          keyOfKnown({
            gameId: null,
            folder: "",
            name: `runs/${one.run}.json`,
            ...storedParts({ attempt: "" }, one.file)
          })
        )
    for (const { list } of game.leaving) named.add(documentKey(gameId, "leaving", list))
    const published = lake.games[gameId]?.state
    for (const ref of [state, published])
      if (ref !== null && ref !== undefined) yield* nameState(store, gameId, ref, named)
  }
  return { lake, games, named }
})
