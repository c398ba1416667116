import { assert, describe } from "@effect/vitest"
import { Clock, type Cron, Duration, Effect, Fiber } from "effect"
import { TestClock } from "effect/testing"
import { parseCron } from "../../../pipelines/settings/readSchedule.ts"
import { runSchedule } from "../../../src/night/run/runSchedule.ts"
import { effect } from "../../support/suite.ts"

interface Kept {
  readonly starts: Array<string>
  readonly late: Array<string>
  /** The most nights that ran at the same moment. */
  together: number
  /** The longest time without a look while no night ran. */
  silenceMillis: number
}

const instant = (millis: number): string => new Date(millis).toISOString().replace(":00.000Z", "Z")

/** Follows the schedule for `days` from `from` on; the nth night takes `minutes(nth)`, by default 10. */
const keep = Effect.fnUntraced(function* (options: {
  readonly cron: Cron.Cron
  readonly from: string
  readonly days: number
  readonly minutes?: (nth: number) => number
  readonly coveredSince?: string
}) {
  const kept: Kept = { starts: [], late: [], together: 0, silenceMillis: 0 }
  let looked = Date.parse(options.from)
  let running = 0
  yield* TestClock.setTime(Date.parse(options.from))
  const service = yield* Effect.forkChild(
    runSchedule({
      cron: options.cron,
      coveredMillis: Date.parse(options.coveredSince ?? options.from),
      night: Effect.gen(function* () {
        running += 1
        kept.together = Math.max(kept.together, running)
        kept.starts.push(instant(yield* Clock.currentTimeMillis))
        yield* Effect.sleep((options.minutes?.(kept.starts.length) ?? 10) * 60_000)
        running -= 1
        looked = yield* Clock.currentTimeMillis
      }),
      onLook: (now) =>
        Effect.sync(() => {
          kept.silenceMillis = Math.max(kept.silenceMillis, now - looked)
          looked = now
        }),
      onNext: () => Effect.void,
      onLate: (dueMillis) => Effect.sync(() => void kept.late.push(instant(dueMillis)))
    })
  )
  yield* TestClock.adjust(`${options.days} days`)
  yield* Fiber.interrupt(service)
  return kept
})

/** A night at three o'clock, on a clock that can jump while timers wait, as on a sleeping machine. */
const onAWallClock = Effect.fnUntraced(function* (from: string) {
  yield* TestClock.setTime(Date.parse(from))
  const clock = yield* Clock.Clock
  let ahead = 0
  const starts: Array<string> = []
  const now = () => clock.currentTimeMillisUnsafe() + ahead
  const wall: Clock.Clock = {
    ...clock,
    sleep: (duration) => clock.sleep(duration),
    currentTimeMillisUnsafe: now,
    currentTimeMillis: Effect.sync(now)
  }
  const service = yield* runSchedule({
    cron: zurich("0 3 * * *"),
    coveredMillis: Date.parse(from),
    night: Effect.sync(() => void starts.push(instant(now()))),
    onNext: () => Effect.void,
    onLook: () => Effect.void,
    onLate: () => Effect.void
  }).pipe(Effect.provideService(Clock.Clock, wall), Effect.forkChild)
  return {
    starts,
    jump: (by: Duration.Input) => {
      ahead += Duration.toMillis(by)
    },
    stop: Fiber.interrupt(service)
  }
})

const zurich = (text: string) => parseCron(text, "Europe/Zurich")

describe("a schedule", () => {
  effect("runs at its times in its time zone, in winter and in summer", function* () {
    const { late, starts } = yield* keep({ cron: zurich("0 3 * * *"), from: "2026-03-27T12:00:00Z", days: 3 })
    assert.deepStrictEqual(starts, ["2026-03-28T02:00Z", "2026-03-29T01:00Z", "2026-03-30T01:00Z"])
    assert.deepStrictEqual(late, [])
  })

  effect("looks every half minute whether a night is due, so that a silent one is stuck", function* () {
    const kept = yield* keep({ cron: zurich("0 3 * * *"), from: "2026-03-27T12:00:00Z", days: 1 })
    assert.strictEqual(kept.silenceMillis, 30_000)
  })

  effect("runs the night of half past two right after the gap when the clocks skip that time", function* () {
    const { starts } = yield* keep({ cron: zurich("30 2 * * *"), from: "2026-03-28T12:00:00Z", days: 2 })
    assert.deepStrictEqual(starts, ["2026-03-29T01:30Z", "2026-03-30T00:30Z"])
  })

  effect("runs the night of half past two once when the clocks show that time twice", function* () {
    const { starts } = yield* keep({ cron: zurich("30 2 * * *"), from: "2026-10-24T12:00:00Z", days: 2 })
    assert.deepStrictEqual(starts, ["2026-10-25T00:30Z", "2026-10-26T01:30Z"])
  })

  effect("catches up once on what a long night missed, and never runs two nights together", function* () {
    const kept = yield* keep({
      cron: zurich("0 * * * *"),
      from: "2026-11-21T00:30:00Z",
      days: 0.25,
      // The first night takes from one to half past three.
      minutes: (nth) => (nth === 1 ? 150 : 10)
    })
    assert.deepStrictEqual(kept.starts, [
      "2026-11-21T01:00Z",
      "2026-11-21T03:30Z",
      "2026-11-21T04:00Z",
      "2026-11-21T05:00Z",
      "2026-11-21T06:00Z"
    ])
    assert.deepStrictEqual(kept.late, ["2026-11-21T02:00Z"])
    assert.strictEqual(kept.together, 1)
  })

  effect("catches up once on what the machine slept through", function* () {
    const { jump, starts, stop } = yield* onAWallClock("2026-11-21T12:00:00Z")
    yield* TestClock.adjust("1 minute")
    // Three nights later, in the morning: no timer has noticed.
    jump("67 hours")
    yield* TestClock.adjust("1 minute")
    assert.deepStrictEqual(starts, ["2026-11-24T07:01:30.000Z"])
    yield* TestClock.adjust("1 day")
    assert.deepStrictEqual(starts.slice(1), ["2026-11-25T02:00Z"])
    yield* stop
  })

  effect("catches up at its start on what was missed since the last run", function* () {
    const { late, starts } = yield* keep({
      cron: zurich("0 3 * * *"),
      from: "2026-11-23T09:00:00Z",
      coveredSince: "2026-11-20T02:00:00Z",
      days: 1
    })
    assert.deepStrictEqual(starts, ["2026-11-23T09:00Z", "2026-11-24T02:00Z"])
    assert.deepStrictEqual(late, ["2026-11-21T02:00Z"])
  })

  effect("runs nothing at its start when nothing was missed", function* () {
    const { starts } = yield* keep({
      cron: zurich("0 3 * * *"),
      from: "2026-11-23T09:00:00Z",
      coveredSince: "2026-11-23T02:00:00Z",
      days: 1
    })
    assert.deepStrictEqual(starts, ["2026-11-24T02:00Z"])
  })

  effect("runs no night a second time after the clock was set back", function* () {
    const { jump, starts, stop } = yield* onAWallClock("2026-11-21T01:59:00Z")
    yield* TestClock.adjust("2 minutes")
    jump("-1 hours")
    yield* TestClock.adjust("26 hours")
    assert.deepStrictEqual(starts, ["2026-11-21T02:00Z", "2026-11-22T02:00Z"])
    yield* stop
  })

  effect("goes on at its times after the clock was a year ahead for one night", function* () {
    const { jump, starts, stop } = yield* onAWallClock("2026-11-21T01:59:00Z")
    jump("365 days")
    yield* TestClock.adjust("2 minutes")
    jump("-365 days")
    yield* TestClock.adjust("26 hours")
    // By the wrong clock one time was missed and one is due; then the times of the real days follow.
    assert.deepStrictEqual(starts, ["2027-11-21T01:59Z", "2027-11-21T02:00Z", "2026-11-22T02:00Z"])
    yield* stop
  })

  effect("keeps its times even if the last run is in the future", function* () {
    const { late, starts } = yield* keep({
      cron: zurich("0 3 * * *"),
      from: "2026-11-23T09:00:00Z",
      coveredSince: "2027-11-23T02:00:00Z",
      days: 1
    })
    assert.deepStrictEqual(starts, ["2026-11-24T02:00Z"])
    assert.deepStrictEqual(late, [])
  })
})
