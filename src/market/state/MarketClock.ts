import { Clock, Context, Effect, Semaphore, Cause, Schedule } from "effect"

/** Something that happens automatically when it is due, such as the next attempt of a delivery. */
export interface DueWork {
  readonly name: string
  /** When it is due next, in milliseconds; undefined: nothing is waiting. */
  readonly nextAt: () => number | undefined
  /** Does what is due by now, or begins it, after which `nextAt` is later or undefined. */
  readonly run: Effect.Effect<void>
  /** Waits for what `run` only started. A moved clock waits for it before it continues. */
  readonly settled?: Effect.Effect<void>
}

/** The time of the marketplace, which can be moved on. It never goes back, and it lasts as long as the state. */
export class MarketClock extends Context.Service<
  MarketClock,
  {
    /** Milliseconds since 1970. */
    readonly now: () => number
    /** As the API writes it: `2026-03-01T12:00:00.000Z`. */
    readonly nowText: () => string
    /** Moves time on, not beyond `latestMillis`. What falls due in between is done in order, each at its own time. */
    readonly advance: (millis: number) => Effect.Effect<void>
    /** Registers work; called once by each room that has any. */
    readonly register: (work: DueWork) => void
    /** Does what is due by now. */
    readonly runDue: Effect.Effect<void>
  }
>()("cardlake/sandbox/MarketClock") {}

export const dayMillis = 86_400_000

export const textOfMillis = (millis: number): string => new Date(millis).toISOString()

/** The machine's time, even where a test has put another clock in its place. */
export const machineMillis = (): number => Clock.Clock.defaultValue().currentTimeMillisUnsafe()

/** The marketplace's time ends here: later instants would not sort as texts. */
export const latestMillis = Date.UTC(9999, 0, 1)

/** What is due at one instant: no more of it than this is done, so that work which never gets later is found. */
const maxAtOnce = 100_000

interface ClockOptions {
  readonly machineNow?: () => number
  /** The machine's time that a moved clock waits in all for what is under way, such as receivers that do not answer. */
  readonly maxWaitMillis?: number
}

/** A clock that is `offsetMillis` ahead of the machine's; `keep` remembers a new offset. */
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
