import { Clock, Context, Effect, Semaphore, Cause, Schedule } from "effect"

/** Automatic work that falls due, such as the next attempt of a delivery. */
export interface DueWork {
  readonly name: string
  /** Returns when it is due next, in milliseconds; undefined if nothing is waiting. */
  readonly nextAt: () => number | undefined
  /** Does or starts the due work. `nextAt` is later or undefined afterwards. */
  readonly run: Effect.Effect<void>
  /** Waits for work that `run` started. An advanced clock waits for it before it continues. */
  readonly settled?: Effect.Effect<void>
}

/** The marketplace's clock. It can be advanced but not set back, and persists with the state. */
export class MarketClock extends Context.Service<
  MarketClock,
  {
    /** Milliseconds since 1970. */
    readonly now: () => number
    /** The time in the API's format: `2026-03-01T12:00:00.000Z`. */
    readonly nowText: () => string
    /** Advances the clock, at most to `latestMillis`. Due work in between runs in order, each at its own time. */
    readonly advance: (millis: number) => Effect.Effect<void>
    /** Registers scheduled work. Each module of the sandbox that has such work calls this once. */
    readonly register: (work: DueWork) => void
    /** Does the work that is due. */
    readonly runDue: Effect.Effect<void>
  }
>()("cardlake/sandbox/MarketClock") {}

export const dayMillis = 86_400_000

export const textOfMillis = (millis: number): string => new Date(millis).toISOString()

/** Returns the machine's time, even if a test replaced the clock. */
export const machineMillis = (): number => Clock.Clock.defaultValue().currentTimeMillisUnsafe()

/** End of the marketplace's time. Later instants would not sort as texts. */
export const latestMillis = Date.UTC(9999, 0, 1)

/** Maximum runs at one instant, to detect work that never becomes later. */
const maxAtOnce = 100_000

interface ClockOptions {
  readonly machineNow?: () => number
  /** Maximum total machine time that an advanced clock waits for work in progress, such as unresponsive receivers. */
  readonly maxWaitMillis?: number
}

/** Creates a clock `offsetMillis` ahead of the machine's; `keep` stores a new offset. */
export const makeMarketClock = (
  offsetMillis: number,
  keep: (offsetMillis: number) => void,
  { maxWaitMillis = 20_000, machineNow = machineMillis }: ClockOptions = {}
): MarketClock["Service"] => {
  let offset = offsetMillis
  const works: Array<DueWork> = []
  const now = () => machineNow() + offset

  const earliest = (until: number) => {
    let first: { readonly work: DueWork; readonly at: number } | undefined
    for (const work of works) {
      const at = work.nextAt()
      if (at !== undefined && at <= until && (first === undefined || at < first.at)) first = { work, at }
    }
    return first
  }
  const moveTo = (at: number) => {
    const ahead = at - now()
    if (ahead <= 0) return
    keep(offset + ahead)
    offset += ahead
  }
  const oneAtATime = Semaphore.makeUnsafe(1)
  const settled = Effect.suspend(() => Effect.forEach(works, (work) => work.settled ?? Effect.void, { discard: true }))
  const settledBy = (deadline: number): Effect.Effect<unknown> =>
    Effect.suspend(() => {
      const left = deadline - machineMillis()
      return left <= 0 ? Effect.void : Effect.timeoutOption(settled, left)
    }).pipe(Effect.provideService(Clock.Clock, Clock.Clock.defaultValue()))
  const runUntil = Effect.fnUntraced(function* (until: number, afterEach: Effect.Effect<unknown>) {
    let latest = 0
    let done = 0
    while (done < maxAtOnce) {
      const due = earliest(until)
      if (due === undefined) return
      done = due.at > latest ? 0 : done + 1
      latest = Math.max(latest, due.at)
      moveTo(due.at)
      yield* due.work.run
      yield* afterEach
    }
    return yield* Effect.die(new Error(`${earliest(until)?.work.name} is due again and again`))
  })
  return {
    now,
    nowText: () => textOfMillis(now()),
    advance: Effect.fnUntraced(function* (millis: number) {
      const target = now() + millis
      const deadline = machineMillis() + maxWaitMillis
      yield* settledBy(deadline)
      yield* runUntil(target, settledBy(deadline))
      moveTo(target)
    }, oneAtATime.withPermit),
    register: (work) => void works.push(work),
    runDue: oneAtATime.withPermit(Effect.suspend(() => runUntil(now(), Effect.void)))
  }
}

/** Delay of the next try after a failure, such as a full disk. */
const afterFailure = "5 seconds"

/** Does due work while the marketplace runs, by machine time even if a test replaced the clock. */
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
