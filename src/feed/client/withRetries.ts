import { Effect, Random, Result } from "effect"
import type { MarketplaceError } from "./MarketplaceError.ts"
import type { Asker } from "./limiter/RateLimit.ts"
import type { RateLimiter } from "./limiter/RateLimiter.ts"
import { RetryPolicy } from "./RetryPolicy.ts"
import { waitFor } from "./CallContext.ts"
import type { Fault } from "./answerFault.ts"

// Not Effect's retryTransient: it stops at an answer's head, and a page is retried because of its body.

/**
 * Repeats an attempt while its fault tends to pass: exponential waits with jitter, or what the server asked for. A 429
 * is handled by the limiter and bounded by the time waited; anything else is bounded by a number of attempts.
 */
export const withRetries = Effect.fnUntraced(function* <A>(
  limiter: RateLimiter,
  asker: Asker,
  attempt: Effect.Effect<Result.Result<A, Fault>>
): Effect.fn.Return<A, MarketplaceError> {
  const policy = yield* RetryPolicy
  let attempts = 0
  let limits = 0
  let waitedMillis = 0
  while (true) {
    const result = yield* limiter.within(asker, attempt)
    if (Result.isSuccess(result)) return result.success
    const fault = result.failure
    if (fault._tag === "Final") return yield* fault.error
    const backoff = Math.min(policy.baseMillis * 2 ** (fault.limited ? limits : attempts), policy.maxBackoffMillis)
    const jittered = backoff * (1 - 0.25 * (yield* Random.next))
    const wait = fault.waitMillis ?? jittered
    if (fault.limited) {
      limits += 1
      if (waitedMillis + wait > policy.maxRateWaitMillis || limits > policy.rateTimes) {
        return yield* fault.giveUp(limits, waitedMillis)
      }
      if (fault.waitMillis === null) yield* limiter.pause(asker, fault.limited, wait)
      // Jitter on top, so that the waiting requests do not all come back at the same moment.
      const whole = wait + (fault.waitMillis === null ? 0 : jittered * 0.1)
      yield* limiter.tally.whileWaiting(asker.game, waitFor(whole, fault.why))
    } else {
      attempts += 1
      if (attempts > policy.times || wait > policy.maxAskedWaitMillis) {
        return yield* fault.giveUp(attempts, waitedMillis)
      }
      yield* waitFor(wait, fault.why)
    }
    limiter.tally.retried(asker.game)
    waitedMillis += wait
  }
})
