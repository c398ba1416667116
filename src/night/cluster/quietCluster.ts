import { Cause, Effect, Logger, Predicate } from "effect"

/** What the cluster meets where Postgres is away. */
const tagsOfAbsence: ReadonlySet<string> = new Set([
  "PersistenceError",
  "PersistedQueueError",
  "SqlError",
  "TimeoutError"
])

const isAbsence = (found: unknown): boolean =>
  Predicate.hasProperty(found, "_tag") && tagsOfAbsence.has(String(found._tag))

/** Nothing but that Postgres is away, which the member says itself. */
const isAway = ({ reasons }: Cause.Cause<unknown>): boolean => {
  const found = reasons.filter((reason) => !Cause.isInterruptReason(reason))
  return (
    found.length > 0 && found.every((reason) => isAbsence(Cause.isDieReason(reason) ? reason.defect : reason.error))
  )
}

/** Leaves out of the log what the cluster says again and again while Postgres is away. All else it says is kept. */
export const quietCluster = <A, E, R>(effect: Effect.Effect<A, E, R>): Effect.Effect<A, E, R> =>
  Effect.flatMap(Effect.service(Logger.CurrentLoggers), (loggers) => {
    const quiet = [...loggers].map((logger) =>
      Logger.make<unknown, unknown>((told) => (isAway(told.cause) ? undefined : logger.log(told)))
    )
    return Effect.provideService(effect, Logger.CurrentLoggers, new Set(quiet))
  })
