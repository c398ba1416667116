import { Clock, Effect, Layer, Predicate } from "effect"
import { MessageStorage, type RunnerAddress, RunnerStorage } from "effect/cluster"

/** A worker that lost its locks may take a message before it notices. The cluster waits ten minutes for such a one. */
const offerEveryNanos = 20_000_000_000n

/** Reads messages; those that were taken and have no answer, too. Whoever is at work on one knows it and leaves it. */
const offeredAgain = (
  storage: MessageStorage.MessageStorage["Service"],
  runners: RunnerStorage.RunnerStorage["Service"],
  runner: RunnerAddress.RunnerAddress
) => {
  let offeredAt = 0n
  return Effect.fnUntraced(function* (...[shards, options]: Parameters<typeof storage.unprocessedMessages>) {
    const now = yield* Clock.monotonicTimeNanos
    if (now - offeredAt > offerEveryNanos) {
      // Not those of others, who are at work, by a worker that was frozen.
      const held = yield* Effect.orElseSucceed(runners.refresh(runner, shards), () => [])
      yield* storage.resetShards(held)
      offeredAt = now
    }
    return yield* storage.unprocessedMessages(shards, options)
  })
}

/**
 * The messages of a fleet, whose first failure ends the member. By itself, one that could not write for a second how a
 * step ended would wait for that step for ever, and a message whose reading was not answered stays taken.
 */
export const mortalMessages = (
  runner: RunnerAddress.RunnerAddress,
  onLost: (reason: string) => Effect.Effect<unknown>
) => {
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
    Effect.gen(function* () {
      const storage = yield* MessageStorage.MessageStorage
      const runners = yield* RunnerStorage.RunnerStorage
      return MessageStorage.MessageStorage.of({
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
        unprocessedMessages: mortal(offeredAgain(storage, runners, runner)),
        // It reads what `this` is.
        unprocessedMessagesById: mortal((ids) => storage.unprocessedMessagesById(ids))
      })
    })
  )
}
