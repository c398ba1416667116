import * as Clock from "effect/Clock"
import * as Context from "effect/Context"
import * as Fiber from "effect/Fiber"

const machineClock = Context.get(Context.empty(), Clock.Clock)

/** Returns the monotonic time of a clock; default: the clock of the running fiber. */
export const monotonicMillis = (clock = Fiber.getCurrent()?.getRef(Clock.Clock) ?? machineClock): number =>
  Number(clock.monotonicTimeNanosUnsafe()) / 1e6
