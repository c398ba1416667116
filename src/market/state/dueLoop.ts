import { Clock, Effect, Schedule } from "effect"
import { MarketClock } from "./MarketClock.ts"

/** Does what falls due while the marketplace runs, by the machine's time even where a test has another clock. */
export const dueLoop = Effect.flatMap(MarketClock, ({ runDue }) =>
  Effect.repeat(runDue, Schedule.spaced("200 millis"))
).pipe(Effect.provideService(Clock.Clock, Clock.Clock.defaultValue()), Effect.forkScoped)
