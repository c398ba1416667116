import { Effect } from "effect"
import { BucketUnfit } from "./BucketFailed.ts"
import type { BucketStore } from "./BucketStore.ts"

/**
 * Checks the guarantees of a store: an existing object is not created again, and a swap with an old tag fails. Returns
 * the time by the store's clock.
 */
export const probeStore = Effect.fn("probeStore")(function* (store: BucketStore, attempt: string) {
  const path = `probes/attempt-${attempt}`
  const unfit = (what: string) =>
    Effect.flatMap(store.name, (name) => new BucketUnfit({ address: store.address, store: name, what }))
  yield* store.swap(path, "first", null)
  return yield* Effect.gen(function* () {
    const first = yield* store.read(path)
    if (first?.text !== "first") return yield* unfit("does not return what was written")
    if (yield* store.swap(path, "second", null)) return yield* unfit("creates an object that already exists")
    if (yield* store.swap(path, "third", '"00000000000000000000000000000000"'))
      return yield* unfit("replaces an object although the writer names another version")
    // If the first answer was lost, a retry was refused. The current content decides.
    yield* store.swap(path, "fourth", first.tag)
    if ((yield* store.read(path))?.text !== "fourth")
      return yield* unfit("does not replace an object although the writer names its version")
    return (yield* store.sizeOf(path)).writtenMillis
  }).pipe(Effect.ensuring(Effect.ignore(store.remove(path))))
})
