import { Effect, Layer, Predicate, Schedule } from "effect"
import { MessageStorage } from "effect/cluster"

/** As long as Postgres may be away. */
const patience = { schedule: Schedule.spaced("500 millis"), times: 7200 }

const patient =
  <Args extends ReadonlyArray<unknown>, A, E, R>(ask: (...args: Args) => Effect.Effect<A, E, R>) =>
  (...args: Args) =>
    Effect.retry(
      Effect.suspend(() => ask(...args)),
      { ...patience, while: Predicate.isTagged("PersistenceError") }
    )

/**
 * The messages of a fleet, asked for and written again while Postgres is away. By itself, a member that could not write
 * for a second how a step ended would wait for that step for ever.
 */
export const patientMessages = Layer.effect(
  MessageStorage.MessageStorage,
  Effect.map(MessageStorage.MessageStorage, (storage) =>
    MessageStorage.MessageStorage.of({
      ...storage,
      saveRequest: patient(storage.saveRequest),
      saveEnvelope: patient(storage.saveEnvelope),
      saveReply: patient(storage.saveReply),
      clearReplies: patient(storage.clearReplies),
      clearAddress: patient(storage.clearAddress),
      requestIdForPrimaryKey: patient(storage.requestIdForPrimaryKey),
      repliesForUnfiltered: patient(storage.repliesForUnfiltered),
      unprocessedMessagesById: patient(storage.unprocessedMessagesById)
    })
  )
)
