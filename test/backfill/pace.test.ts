import { assert, describe } from "@effect/vitest"
import { Clock, Effect, Fiber } from "effect"
import { TestClock } from "effect/testing"
import { type BudgetShare, historyOperation } from "../../src/feed/client/limiter/RateBuckets.ts"
import { RateLimiter } from "../../src/feed/client/limiter/RateLimiter.ts"
import { RetryPolicy } from "../../src/feed/client/RetryPolicy.ts"
import { pricingHistory } from "../../src/feed/contract/Bucket.ts"
import { makeAccountBuckets, type RateWindow } from "../../src/market/limits/AccountBuckets.ts"
import { effect } from "../support/suite.ts"

const hourMillis = 3_600_000
const asker = { operation: historyOperation, game: "fable" }
const minuteMillis = 60_000

/** The most within any hour. */
const mostInAnHour = (sent: ReadonlyArray<number>) =>
  sent.reduce((most, at, index) => {
    const first = sent.findIndex((other) => other > at - hourMillis)
    return Math.max(most, index - first + 1)
  }, 0)

/** A service that answers 60 requests a minute, and 120 for the price history an hour, by the clock of the test. */
const service = Effect.fnUntraced(function* (window: RateWindow) {
  const clock = yield* Clock.Clock
  const buckets = makeAccountBuckets(60, window, () => clock.currentTimeMillisUnsafe())
  return { buckets, sent: [] as Array<number>, refused: { count: 0 } }
})

/** Asks so many questions, and returns how many hours that took. */
const asks = Effect.fnUntraced(function* (
  questions: number,
  { buckets, refused, sent }: Effect.Success<ReturnType<typeof service>>,
  share: BudgetShare = { common: 0.5, own: 1 }
) {
  const clock = yield* Clock.Clock
  const now = () => clock.currentTimeMillisUnsafe()
  const began = now()
  const limiter = new RateLimiter(share, minuteMillis)
  const before = sent.filter((at) => at > began - hourMillis)
  limiter.buckets.recallHistory(null, before)
  const one = limiter.within(
    asker,
    Effect.suspend(() => {
      const [global, own] = buckets.of("shop", pricingHistory)
      const seconds = Math.max(global.take(), own?.take() ?? 0)
      if (seconds > 0) refused.count += 1
      sent.push(now())
      const seen = { bucket: "global", limit: global.limit, remaining: global.remaining() }
      return limiter.ended(asker, { sentMillis: now(), status: 200, seen, refusal: null })
    })
  )
  const all = Effect.forEach(Array.from({ length: questions }), () => one, { discard: true })
  const policy = { ...RetryPolicy.defaultValue(), maxRateWaitMillis: 48 * hourMillis }
  const fiber = yield* Effect.forkChild(Effect.provideService(all, RetryPolicy, policy))
  yield* TestClock.adjust("10 days")
  yield* Fiber.join(fiber)
  return ((sent.at(-1) ?? began) - began) / hourMillis
})

describe("a backfill at 120 requests an hour", () => {
  for (const window of ["refill", "sliding"] as const) {
    effect(`asks about 1,000 products in nine hours, and never meets the limit (${window})`, function* () {
      const served = yield* service(window)
      assert.isBelow(yield* asks(1000, served), 9)
      assert.deepStrictEqual([served.refused.count, served.sent.length], [0, 1000])
    })
  }

  effect("asks about 18,432 products, a game, in a week", function* () {
    const served = yield* service("sliding")
    const hours = yield* asks(18_432, served)
    assert.isAbove(hours, 6 * 24)
    assert.isBelow(hours, 7 * 24)
    assert.strictEqual(served.refused.count, 0)
  })

  effect("keeps to its share from the first request on, also with those that an earlier one sent", function* () {
    const served = yield* service("sliding")
    const half = { common: 0.5, own: 0.5 }
    yield* asks(150, served, half)
    assert.isAtMost(mostInAnHour(served.sent), 60)
    const other = yield* service("sliding")
    const budgets = [40, 40, 40]
    for (const questions of budgets) {
      const fiber = yield* Effect.forkChild(asks(questions, other, half))
      yield* TestClock.adjust("5 minutes")
      yield* Fiber.interrupt(fiber)
    }
    yield* asks(60, other, half)
    assert.isAtLeast(other.sent.length, 60)
    assert.isAtMost(mostInAnHour(other.sent), 60)
  })
})
