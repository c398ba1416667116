import { Effect } from "effect"
import type { BucketStore } from "../../home/bucket/BucketStore.ts"
import { homeFromBucket, homeIntoBucket } from "../../home/bucket/moveHome.ts"
import { readCurrent } from "../../home/Current.ts"
import { isThere } from "../../home/disk.ts"
import { Home } from "../../home/Home.ts"
import { lockHome } from "../../home/lock/lockHome.ts"
import { newRunId } from "../../home/newRunId.ts"
import { noLake } from "../../lake/publish/openLake.ts"
import { publish } from "../../lake/publish/publish.ts"
import { ownFromBucket, ownIntoBucket } from "./ownInBucket.ts"

/** Copies a home into a bucket; the reader's own cards only if that was asked for. */
export const runMoveIn = Effect.fn("runMoveIn")(function* (store: BucketStore, withCollection: boolean) {
  // A mistyped folder stays one that does not exist.
  if (!isThere((yield* Home).root)) return yield* noLake
  const { put, ...moved } = yield* homeIntoBucket(store, withCollection ? ownIntoBucket(store) : Effect.succeed([]))
  return { ...moved, collections: put }
})

/** Copies a home out of a bucket, with everything that a night needs, and builds its lake. */
export const runMoveOut = Effect.fn("runMoveOut")(function* (store: BucketStore, withCollection: boolean) {
  const moved = yield* homeFromBucket(store)
  const run = yield* newRunId
  yield* publish(run, yield* readCurrent, yield* lockHome("move", run))
  return { ...moved, collections: withCollection ? yield* ownFromBucket(store) : [] }
}, Effect.scoped)
