import { Clock, Effect } from "effect"

/** Runs an effect with this machine's clock shifted so that it shows `millis` at the start. */
export const showing =
  (millis: number) =>
  <A, E, R>(effect: Effect.Effect<A, E, R>): Effect.Effect<A, E, R> =>
    Effect.flatMap(Clock.Clock, (clock) => Effect.provideService(effect, Clock.Clock, moved(clock, millis)))

const moved = (clock: Clock.Clock, millis: number): Clock.Clock => {
  const ahead = millis - clock.currentTimeMillisUnsafe()
  return Object.assign(Object.create(clock) as Clock.Clock, {
    currentTimeMillisUnsafe: () => clock.currentTimeMillisUnsafe() + ahead,
    currentTimeMillis: Effect.map(clock.currentTimeMillis, (now) => now + ahead)
  })
}
