import { Effect, Layer, Schedule } from "effect"
import { BucketFailed } from "../../src/store/home/bucket/BucketFailed.ts"
import { lakeKey } from "../../src/store/home/bucket/bucketKeys.ts"
import { openStore } from "../../src/store/home/bucket/BucketStore.ts"
import { newAttempt } from "../../src/store/home/bucket/newAttempt.ts"
import { probeStore } from "../../src/store/home/bucket/probeStore.ts"
import { bucketOfSteps } from "../flags/stepFlags.ts"
import { bucketServices } from "../settings/services.ts"

/** After so long, whoever waits for the store says so. */
const saidAfter = "10 seconds"
const againAfter = "5 seconds"

/** The store of a home, with this member's own settings. */
export const storeOf = Effect.fnUntraced(function* (settings: Record<string, string>) {
  const services = yield* Layer.build(bucketServices(settings))
  return yield* Effect.provideContext(openStore(yield* bucketOfSteps(settings)), services)
})

/** Fails with a sentence if the store is not there, does not let this machine in, or does not keep its word. */
export const tryStore = Effect.fnUntraced(function* (settings: Record<string, string>) {
  const store = yield* storeOf(settings)
  yield* store.read(lakeKey)
  yield* probeStore(store, yield* newAttempt)
}, Effect.scoped)

/** Whether the store may answer another time. */
export const isAway = (error: unknown): boolean => error instanceof BucketFailed && error.isAway === true

/** The same for whoever waits for a store that is away; each time, `onAway` is told what was wrong. */
export const awaitStore = (settings: Record<string, string>, onAway: (reason: string) => Effect.Effect<void>) => {
  const silent = Effect.andThen(Effect.sleep(saidAfter), onAway("The store does not answer. Check the network"))
  return Effect.raceFirst(tryStore(settings), Effect.andThen(silent, Effect.never)).pipe(
    Effect.tapError((error) => (isAway(error) ? onAway(error.message) : Effect.void)),
    Effect.retry({ while: isAway, schedule: Schedule.spaced(againAfter) })
  )
}
