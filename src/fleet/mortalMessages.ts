import { Effect, Layer, Predicate } from "effect"
import { MessageStorage } from "effect/cluster"

/**
 * The messages of a fleet, whose first failure ends the member. By itself, one that could not write for a second how a
 * step ended would wait for that step for ever, and a message whose reading was not answered stays taken.
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
    Effect.map(MessageStorage.MessageStorage, (storage) =>
      MessageStorage.MessageStorage.of({
        ...storage,
        saveRequest: mortal(storage.saveRequest),
        saveEnvelope: mortal(storage.saveEnvelope),
        saveReply: mortal(storage.saveReply),
        clearReplies: mortal(storage.clearReplies),
        clearAddress: mortal(storage.clearAddress),
        requestIdForPrimaryKey: mortal(storage.requestIdForPrimaryKey),
        repliesForUnfiltered: mortal(storage.repliesForUnfiltered),
        resetShards: mortal(storage.resetShards),
        resetAddress: mortal(storage.resetAddress),
        resetAddresses: mortal(storage.resetAddresses),
        resetRequests: mortal(storage.resetRequests),
        // Both read what `this` is.
        unprocessedMessages: mortal((shards, options) => storage.unprocessedMessages(shards, options)),
        unprocessedMessagesById: mortal((ids) => storage.unprocessedMessagesById(ids))
      })
    )
  )
}
