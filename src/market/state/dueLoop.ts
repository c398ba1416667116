import { Cause, Clock, Effect, Schedule } from "effect"
import { MarketClock } from "./MarketClock.ts"

/** After a failure, such as a full disk, the next try waits. */
const afterFailure = "5 seconds"

/** Does what falls due while the marketplace runs, by the machine's time even where a test has another clock. */
export const dueLoop = Effect.flatMap(MarketClock, ({ runDue }) =>
  runDue.pipe(
    Effect.catchCause((cause) =>
      Cause.hasInterruptsOnly(cause)
        ? Effect.failCause(cause)
        : Effect.andThen(Effect.logError("What is due", cause), Effect.sleep(afterFailure))
    ),
    Effect.repeat(Schedule.spaced("200 millis"))
  )
).pipe(Effect.provideService(Clock.Clock, Clock.Clock.defaultValue()), Effect.forkScoped)
