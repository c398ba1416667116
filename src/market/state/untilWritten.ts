import { Cause, Clock, Effect } from "effect"

const wait = "1 second"

const again = (written: Effect.Effect<void>): Effect.Effect<void> =>
  Effect.catchCause(written, (cause) =>
    Cause.hasInterruptsOnly(cause) ? Effect.failCause(cause) : Effect.andThen(Effect.sleep(wait), again(written))
  )

/** Tries a write until it is kept, such as when the disk has space again. Logs the first failure, as `what`. */
export const untilWritten = (what: string, written: Effect.Effect<void>): Effect.Effect<void> =>
  Effect.catchCause(written, (cause) => {
    if (Cause.hasInterruptsOnly(cause)) return Effect.failCause(cause)
    return Effect.logError(what, cause).pipe(Effect.andThen(Effect.sleep(wait)), Effect.andThen(again(written)))
  }).pipe(Effect.provideService(Clock.Clock, Clock.Clock.defaultValue()))
