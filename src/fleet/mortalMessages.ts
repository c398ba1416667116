import { Effect, Layer, Predicate } from "effect"
import { MessageStorage } from "effect/cluster"

/**
 * The messages of a fleet, whose first failure ends the member. By itself, one that could not write for a second how a
 * step ended would wait for that step for ever.
 */
export const mortalMessages = (onLost: (reason: string) => Effect.Effect<unknown>) => {
  const lost = onLost("a message could not be kept in Postgres")
  const mortal =
    <Args extends ReadonlyArray<unknown>, A, E, R>(ask: (...args: Args) => Effect.Effect<A, E, R>) =>
    (...args: Args) =>
      Effect.tapError(
        Effect.suspend(() => ask(...args)),
        (error) => (Predicate.isTagged(error, "PersistenceError") ? lost : Effect.void)
      )
  return Layer.effect(
    MessageStorage.MessageStorage,
    // Reading messages needs `this`, the whole storage: it stays as it is.
    Effect.map(MessageStorage.MessageStorage, (storage) =>
      MessageStorage.MessageStorage.of({
        ...storage,
        saveRequest: mortal(storage.saveRequest),
        saveEnvelope: mortal(storage.saveEnvelope),
        saveReply: mortal(storage.saveReply),
        clearReplies: mortal(storage.clearReplies),
        clearAddress: mortal(storage.clearAddress),
        requestIdForPrimaryKey: mortal(storage.requestIdForPrimaryKey),
        repliesForUnfiltered: mortal(storage.repliesForUnfiltered)
      })
    )
  )
}
