import { Clock, Cron, Effect } from "effect"

/** A machine that slept does not wake its timers: the clock is looked at this often. */
const lookEveryMillis = 30_000

/** A start later than this after its time was missed. */
const punctualMillis = 90_000

export interface Schedule<R> {
  readonly cron: Cron.Cron
  /** Times up to here are covered: the start of the last run, or of the service. */
  readonly coveredMillis: number
  /** Never fails: what goes wrong is its verdict. */
  readonly night: Effect.Effect<void, never, R>
  /** Called whenever the next time is known. */
  readonly onNext: (dueMillis: number) => Effect.Effect<void>
  /** Called before a night that makes up for its time, which has passed. */
  readonly onLate: (dueMillis: number) => Effect.Effect<void>
}

const until = Effect.fnUntraced(function* (millis: number) {
  let now = yield* Clock.currentTimeMillis
  while (now < millis) {
    yield* Effect.sleep(Math.min(millis - now, lookEveryMillis))
    now = yield* Clock.currentTimeMillis
  }
  return now
})

/**
 * Runs the night at every time of the cron expression, one after the other, for ever. A night covers every time up to its
 * start: whatever was missed meanwhile, asleep or by a longer run, is caught up once. A time that a change of clocks
 * skips is the instant after the gap; one that comes twice is its first.
 */
export const runSchedule = Effect.fnUntraced(function* <R>(schedule: Schedule<R>) {
  const { cron, night, onLate, onNext } = schedule
  let due = Cron.next(cron, new Date(schedule.coveredMillis)).getTime()
  while (true) {
    if (due > (yield* Clock.currentTimeMillis)) yield* onNext(due)
    const startedMillis = yield* until(due)
    if (startedMillis - due > punctualMillis) yield* onLate(due)
    due = Cron.next(cron, new Date(startedMillis)).getTime()
    yield* onNext(due)
    yield* night
  }
})
