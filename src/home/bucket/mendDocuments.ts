import { DateTime, Effect } from "effect"
import type { BucketStore } from "./BucketStore.ts"
import { swapDocument } from "./bucketDocuments.ts"
import { gameKey, lakeKey } from "./bucketKeys.ts"
import { GameDocument } from "./documents.ts"
import { openState, readGame } from "./gameInBucket.ts"
import { mendLake, readLake } from "./lakeInBucket.ts"

/** Makes documents again that are gone and follow from others; says which. */
export const mendDocuments = Effect.fn("mendDocuments")(function* (store: BucketStore) {
  const done: Array<string> = []
  const isGone = yield* Effect.isFailure(readLake(store))
  const lake = yield* mendLake(store)
  if (isGone) done.push(`${store.urlOf(lakeKey)} is made again from the games' documents`)
  const at = DateTime.formatIso(yield* DateTime.now)
  for (const [gameId, { number, state }] of Object.entries(lake?.games ?? {})) {
    if ((yield* readGame(store, gameId)) !== null) continue
    const { held } = (yield* openState(store, gameId, state)).state
    const verdict = held.length > 0 ? "held" : "ready"
    const made = { format: 1, gameId, state, number, verdict, at, report: null, leaving: [], writers: [] } as const
    yield* swapDocument(store, gameKey(gameId), GameDocument, (there) => Effect.succeed(there === null ? made : null))
    done.push(`${store.urlOf(gameKey(gameId))} is made again from what is published`)
  }
  return done
})
