import { Clock, Effect, Option, Semaphore } from "effect"
import { waitFor } from "../CallContext.ts"
import { RetryPolicy } from "../RetryPolicy.ts"
import type { Place, RateBucket } from "./RateBucket.ts"
import { type BudgetShare, RateBuckets } from "./RateBuckets.ts"
import type { Asker, RateLimit } from "./RateLimit.ts"
import { makeRequestTally } from "./RequestTally.ts"
import { type SharedBudget, SharedTokens } from "./SharedTokens.ts"
import { BudgetUnasked, memoryTokens, type TokenStore } from "./TokenStore.ts"

interface Outcome {
  /** When it was sent, by the limiter's clock. */
  readonly sentMillis: number
  /** Null if no complete answer came. */
  readonly status: number | null
  /** The limit and the remaining requests from the answer's headers; null if they state none. */
  readonly seen: RateLimit | null
  /** The wait that a 429 requires; null if there was no 429, or if the wait exceeds the policy. */
  readonly refusal: (Pick<RateLimit, "bucket" | "limit"> & { readonly waitMillis: number }) | null
}

/** A clock that never goes back: after the system clock was set back, it stands still until that catches up. */
const makeSteady = () => {
  let offset = 0
  let latest = -Infinity
  return (clockMillis: number): number => {
    offset += Math.max(0, latest - (clockMillis + offset))
    latest = clockMillis + offset
    return latest
  }
}

// Not Effect's withRateLimiter: it needs the limit in advance. Without it, 150 requests at 60 a minute met 8 to 946
// refusals; with a guess of 60, faster services are read at 60 a minute. Here: none, or those in flight at the time.

/**
 * The limiter of all games. It is unlimited until the service states a limit. Headers apply to every game, a 429 to its
 * game until its bucket is `global` or has refused another game. Its invariants are in src/feed/README.md.
 */
export class RateLimiter {
  readonly buckets: RateBuckets
  readonly tokens: TokenStore
  readonly tally = makeRequestTally()
  /** The last limit that the service stated; null if none. */
  seen: RateLimit | null = null
  readonly #inFlight = makeInFlight()
  readonly #steady = makeSteady()
  readonly nowMillis = Effect.map(Clock.currentTimeMillis, this.#steady)

  /** This program uses a share of each limit. `sharing`: other workers use the same key. */
  constructor(share: BudgetShare, minuteMillis: number, sharing: SharedBudget | null = null) {
    this.buckets = new RateBuckets(share, minuteMillis)
    this.tokens = sharing === null ? memoryTokens : new SharedTokens(sharing, minuteMillis, this.buckets)
  }

  /**
   * Sends a request once its buckets and the requests in flight allow it. No wait exceeds the policy. Fails only if
   * workers share the budget.
   */
  within<A, E, R>(asker: Asker, request: Effect.Effect<A, E, R>): Effect.Effect<A, E | BudgetUnasked, R> {
    const { buckets, tally, tokens } = this
    return Effect.gen({ self: this }, function* () {
      const clock = yield* Clock.Clock
      const { maxRateWaitMillis } = yield* RetryPolicy
      const nowMillis = () => this.#steady(clock.currentTimeMillisUnsafe())
      const latestMillis = nowMillis() + maxRateWaitMillis
      const places = new Map<RateBucket, Place>()
      const token = tokens.turn(() => buckets.of(asker))
      /** Returns the remaining wait of the request; once that is 0, the request counts as sent. */
      const waitMillis = (): number => {
        const now = nowMillis()
        for (const bucket of buckets.of(asker)) if (!places.has(bucket)) places.set(bucket, bucket.take(now))
        const waits = Array.from(places, ([bucket, place]) => bucket.waitMillis(place, now))
        const wait = Math.ceil(Math.min(Math.max(0, buckets.pausedUntil(asker) - now, ...waits), latestMillis - now))
        if (wait <= 0) for (const place of places.values()) place.isSent = true
        return wait
      }
      const waited = (millis: number, why: string) => tally.whileWaiting(asker.game, waitFor(millis, why))
      const obtain = Effect.gen(function* () {
        if (nowMillis() > latestMillis)
          return yield* new BudgetUnasked({ reason: `others have used it for ${maxRateWaitMillis / 60_000} minutes` })
        const wait = Math.min(yield* token.obtain, latestMillis - nowMillis())
        if (wait <= 0) return
        yield* waited(wait, "rate limit of a key that workers share")
        yield* tokens.waited(wait)
      })
      // Checked again once it has a slot, because a limit may have been learned in the meantime, or a lease has ended.
      const send = Effect.suspend(() => {
        if (waitMillis() > 0 || !token.use()) return Effect.succeedNone
        tally.sent(asker.game)
        return Effect.asSome(request)
      })
      const end = Effect.sync(() => {
        for (const [bucket, place] of places) bucket.end(place, nowMillis())
        token.end()
      })
      const sending = Effect.gen({ self: this }, function* () {
        while (true) {
          const wait = waitMillis()
          if (wait > 0) yield* waited(wait, "rate limit")
          else if (!token.isDue()) yield* obtain
          else {
            const answer = yield* this.#inFlight.within(send)
            if (Option.isSome(answer)) return answer.value
          }
        }
      })
      return yield* Effect.ensuring(sending, end)
    })
  }

  /** Learns from the outcome of a request, and reports refusals to workers that share the budget. */
  ended(asker: Asker, { refusal, seen, sentMillis, status }: Outcome): Effect.Effect<void> {
    const { buckets, tokens } = this
    const { game, operation } = asker
    return Effect.gen({ self: this }, function* () {
      const now = yield* this.nowMillis
      if (seen !== null && seen.limit !== null && status !== 429) {
        this.seen = seen
        const bucket = buckets.stated(operation, seen.limit)
        tokens.learned({ kind: "stated", operation, game: null, bucket: seen.bucket, limit: seen.limit })
        if (seen.remaining !== null) tokens.counted(bucket, seen.limit - seen.remaining, now)
      } else if (seen === null && status !== null && status >= 200 && status <= 299)
        tokens.learned({ kind: "silent", operation: "", game: null, bucket: "", limit: 0 })
      const failed = status === null || status === 429 || status === 503
      yield* this.#inFlight.ended(operation, { sentMillis, endedMillis: now, failed })
      if (refusal === null) return
      const { bucket: name, limit, waitMillis } = refusal
      this.seen = { bucket: name, limit, remaining: 0 }
      const bucket = buckets.refusing(asker, this.seen)
      if (bucket === null) buckets.pause(asker, this.seen, now + waitMillis)
      else {
        tokens.learned({ kind: "refused", operation, game, bucket: name, limit: bucket.pace.limit })
        bucket.refuse(waitMillis, sentMillis, now)
      }
      yield* tokens.hold(bucket, waitMillis)
    })
  }

  /** Waits after a 429 that states no wait, for all requests that it applies to. */
  pause(asker: Asker, seen: Pick<RateLimit, "bucket" | "limit">, millis: number): Effect.Effect<void> {
    return Effect.flatMap(this.nowMillis, (now) => {
      this.buckets.pause(asker, seen, now + millis)
      return this.tokens.hold(null, millis)
    })
  }

  /** Returns the minimum time for `requests` of an operation by its buckets; 0 without a limit. */
  readonly millisFor = (asker: Asker, requests: number, clockMillis: number): number => {
    const now = this.#steady(clockMillis)
    return Math.max(0, ...Array.from(this.buckets.of(asker), (bucket) => bucket.millisFor(requests, now)))
  }
}

/** The maximum number of concurrent requests over all games. More is not faster. */
const maxInFlight = 16

/** The maximum time of an answer that is never slow, because a busy machine takes that long. */
const slowMillis = 1000
/** The minimum ratio of a slow answer's time to the best time of its operation. */
const slowTimes = 4

interface EndedRequest {
  readonly sentMillis: number
  readonly endedMillis: number
  readonly failed: boolean
}

/**
 * Limits the number of concurrent requests of all games, and adapts. A slow or missing answer halves the limit, once
 * for all requests in flight. As many good answers as the limit allows raise it by one.
 */
export const makeInFlight = () => {
  const slots = Semaphore.makeUnsafe(maxInFlight)
  const best = new Map<string, number>()
  let limit = maxInFlight
  let good = 0
  let halvedAt = -Infinity

  const isSlow = (operation: string, millis: number): boolean => {
    const least = Math.min(best.get(operation) ?? Infinity, millis)
    best.set(operation, least)
    return millis > Math.max(slowMillis, slowTimes * least)
  }
  const resize = (next: number) => {
    limit = next
    good = 0
    return slots.resize(limit)
  }
  return {
    within: slots.withPermit,
    /** A request of `operation` has ended; it `failed` with 429, 503 or without an answer. */
    ended: (operation: string, { endedMillis, failed, sentMillis }: EndedRequest): Effect.Effect<void> => {
      if (failed || isSlow(operation, endedMillis - sentMillis)) {
        if (sentMillis < halvedAt) return Effect.void
        halvedAt = endedMillis
        return resize(Math.max(1, Math.floor(limit / 2)))
      }
      good += 1
      return limit < maxInFlight && good >= limit ? resize(limit + 1) : Effect.void
    }
  }
}
