import { Clock, Cron, Effect } from "effect"

/** A suspended machine delays timers, so the clock is checked at this interval. */
const lookEveryMillis = 30_000

/** A later start means that the time was missed. */
const punctualMillis = 90_000

export interface Schedule<R> {
  readonly cron: Cron.Cron
  /** Times up to this one are done: the start of the last run, or of the service. */
  readonly coveredMillis: number
  /** Never fails, because an error becomes its verdict. */
  readonly night: Effect.Effect<void, never, R>
  /** Called whenever the next time is known. */
  readonly onNext: (dueMillis: number) => Effect.Effect<void>
  /** Called at least every half minute while no night runs. */
  readonly onLook: (nowMillis: number) => Effect.Effect<void>
  /** Called before a night that catches up on a missed time. */
  readonly onLate: (dueMillis: number) => Effect.Effect<void>
}

/** A clock set back by less than this was right before, so no night runs twice. Otherwise it was wrong before. */
const maxAheadMillis = 24 * 3600 * 1000

/**
 * Runs the night at every time of the cron expression, sequentially. A night covers all times up to its start, so
 * missed ones are caught up once. A time skipped by a clock change is the instant after the gap; of two, the first.
 */
export const runSchedule = Effect.fnUntraced(function* <R>(schedule: Schedule<R>) {
  const { cron, night, onLate, onLook, onNext } = schedule
  const nextAfter = (millis: number) => Cron.next(cron, new Date(millis)).getTime()
  let covered = schedule.coveredMillis
  let due = nextAfter(covered)
  if (due > (yield* Clock.currentTimeMillis)) yield* onNext(due)
  while (true) {
    const now = yield* Clock.currentTimeMillis
    yield* onLook(now)
    if (covered - now > maxAheadMillis) {
      covered = now
      due = nextAfter(covered)
      yield* onNext(due)
    }
    if (now < due) {
      yield* Effect.sleep(Math.min(due - now, lookEveryMillis))
      continue
    }
    if (now - due > punctualMillis) yield* onLate(due)
    covered = now
    due = nextAfter(covered)
    yield* onNext(due)
    yield* night
  }
})
