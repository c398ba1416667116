import * as Clock from "effect/Clock"
import * as Context from "effect/Context"
import * as Fiber from "effect/Fiber"

const machineClock = Context.get(Context.empty(), Clock.Clock)

/** Returns the elapsed time of a clock, which never goes back; default: of the clock of the fiber that runs now. */
export const monotonicMillis = (clock = Fiber.getCurrent()?.getRef(Clock.Clock) ?? machineClock): number =>
  Number(clock.monotonicTimeNanosUnsafe()) / 1e6
