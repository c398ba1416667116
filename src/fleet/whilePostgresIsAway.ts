import { Cause, Effect, Predicate, Schedule } from "effect"

const isAway = (cause: Cause.Cause<unknown>): boolean =>
  cause.reasons.some((reason) => Cause.isDieReason(reason) && Predicate.isTagged(reason.defect, "PersistenceError"))

/** Asks again for an hour: what a night does is written in Postgres under a name of its own, and done once. */
export const whilePostgresIsAway = <A, E, R>(effect: Effect.Effect<A, E, R>) =>
  effect.pipe(
    Effect.sandbox,
    Effect.retry({ while: isAway, schedule: Schedule.spaced("2 seconds"), times: 1800 }),
    Effect.catch((cause) => Effect.failCause(cause))
  )
