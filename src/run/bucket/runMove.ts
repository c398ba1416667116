import { Effect } from "effect"
import type { BucketStore } from "../../home/bucket/BucketStore.ts"
import { homeFromBucket } from "../../home/bucket/moveHome.ts"
import { readCurrent } from "../../home/Current.ts"
import { lockHome } from "../../home/lockHome.ts"
import { newRunId } from "../../home/newRunId.ts"
import { publish } from "../../lake/publish/publish.ts"

/** Copies a home out of a bucket, with everything that a night needs, and builds its lake. */
export const runMoveOut = Effect.fn("runMoveOut")(function* (store: BucketStore) {
  const moved = yield* homeFromBucket(store)
  const run = yield* newRunId
  yield* publish(run, yield* readCurrent, yield* lockHome("move", run))
  return moved
}, Effect.scoped)
