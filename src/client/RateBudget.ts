import { Clock, Effect } from "effect"
import type { BudgetShare } from "./BudgetShare.ts"
import { everyGame, keyOf, makeBuckets } from "./Buckets.ts"
import { type InFlight, makeInFlight } from "./InFlight.ts"
import type { LearnedBucket } from "./LearnedBucket.ts"
import type { Turn } from "./Turns.ts"
import type { Asker, Moment, RateLimit } from "./RateLimit.ts"
import type { OwnBuckets } from "./OwnBuckets.ts"
import { makeRequestTally, type RequestTally } from "./RequestTally.ts"
import { RetryPolicy } from "./RetryPolicy.ts"
import { waitFor } from "./Waiting.ts"

// Not Effect's withRateLimiter: it needs the limit beforehand. Without it, 150 requests at 60 a minute met 8 to 946
// refusals; with a guess of 60, every faster service is read at 60 a minute. Here: none, or those then under way.

/**
 * The one limiter of all games; unlimited until the service says otherwise. Headers count for every game,
 * a 429 for its own game until its bucket is `global` or has refused another game too.
 */
export interface RateBudget {
  /** Sends a request once its buckets and the requests under way allow it. No wait is longer than the policy says. */
  readonly within: <A, E, R>(asker: Asker, request: Effect.Effect<A, E, R>) => Effect.Effect<A, E, R>
  /** An answer ended after this long; `failed`: with 429, 503 or without an answer. */
  readonly ended: (asker: Asker, moment: Moment, failed: boolean) => Effect.Effect<void>
  /** The limit and what remains of it, as an answer's headers say. */
  readonly learn: (asker: Asker, seen: RateLimit, moment: Moment) => void
  /** A 429, and how long it asks to wait. */
  readonly refuse: (asker: Asker, refusal: RateLimit & { readonly waitMillis: number }, moment: Moment) => void
  /** A 429 that does not say how long to wait: the requests it applies to wait this long. */
  readonly pause: (asker: Asker, seen: Pick<RateLimit, "bucket" | "limit">, millis: number) => Effect.Effect<void>
  readonly seen: () => RateLimit | null
  readonly tally: RequestTally
  /** How long this many requests of an operation take at least, by its buckets; 0 if nothing holds them back. */
  readonly millisFor: (asker: Asker, requests: number, nowMillis: number) => number
  /** The buckets of single operations. */
  readonly own: Pick<OwnBuckets, "recall" | "told">
  /** The same if nothing of the buckets were used; null: none is known. */
  readonly millisAfresh: (asker: Asker, requests: number) => number | null
}

/** Requests under way at once, over all games: more brings nothing. */
const maxInFlight = 16

/** A budget with nothing learned yet, of which this program uses a share. */
export const makeRateBudget = (share: BudgetShare): RateBudget => {
  const inFlight = makeInFlight(maxInFlight)
  const buckets = makeBuckets(share)
  const tally = makeRequestTally()
  const pausedUntil = new Map<string, number>()
  let last: RateLimit | null = null

  const pauseFor = (scope: string, untilMillis: number) =>
    void pausedUntil.set(scope, Math.max(pausedUntil.get(scope) ?? -Infinity, untilMillis))
  const pausedMillis = ({ game }: Asker, now: number) =>
    Math.max(...[everyGame, keyOf(game)].map((scope) => (pausedUntil.get(scope) ?? -Infinity) - now))

  return {
    within: (asker, request) =>
      Effect.gen(function* () {
        const clock = yield* Clock.Clock
        const { maxRateWaitMillis } = yield* RetryPolicy
        const latestMillis = clock.currentTimeMillisUnsafe() + maxRateWaitMillis
        const turns = new Map<LearnedBucket, Turn>()
        const waitMillis = (): number => {
          const now = clock.currentTimeMillisUnsafe()
          for (const bucket of buckets.of(asker)) if (!turns.has(bucket)) turns.set(bucket, bucket.take(now))
          const waits = [...turns.values()].map((turn) => turn.waitMillis(now))
          const wait = Math.ceil(Math.min(Math.max(0, pausedMillis(asker, now), ...waits), latestMillis - now))
          if (wait > 0) return wait
          for (const turn of turns.values()) turn.send()
          return 0
        }
        const end = Effect.sync(() => {
          for (const turn of turns.values()) turn.end(clock.currentTimeMillisUnsafe())
        })
        const sent = Effect.suspend(() => {
          tally.sent(asker.game)
          return request
        })
        const waited = (wait: number) => tally.whileWaiting(asker.game, waitFor(wait, "rate limit"))
        return yield* Effect.ensuring(sendAfter({ waitMillis, waited, inFlight }, sent), end)
      }),
    ended: ({ operation }, { nowMillis, sentMillis }, failed) =>
      inFlight.ended({ operation, sentMillis, millis: nowMillis - sentMillis, failed }),
    learn: ({ operation }, seen, moment) => {
      last = seen
      if (seen.limit === null) return
      const bucket = buckets.stated(operation, seen.limit, moment)
      if (seen.remaining !== null) bucket.remains(seen.remaining, moment.nowMillis)
    },
    refuse: (asker, { waitMillis, ...seen }, moment) => {
      last = seen
      const bucket = buckets.refusing(asker, seen, moment)
      if (bucket === null) return pauseFor(buckets.scopeOf(asker, seen), moment.nowMillis + waitMillis)
      bucket.refuse(waitMillis, moment.sentMillis, moment.nowMillis)
    },
    pause: (asker, seen, millis) =>
      Effect.map(Clock.currentTimeMillis, (now) => pauseFor(buckets.scopeOf(asker, seen), now + millis)),
    seen: () => last,
    tally,
    own: buckets.own,
    millisFor: (asker, requests, nowMillis) =>
      Math.max(0, ...[...buckets.of(asker)].map((bucket) => bucket.millisFor(requests, nowMillis))),
    millisAfresh: (asker, requests) => {
      const known = [...buckets.of(asker)]
      return known.length === 0 ? null : Math.max(...known.map((bucket) => bucket.millisAfresh(requests)))
    }
  }
}

/** Sends a request once there is nothing left to wait for and the gate has a free slot. */
const sendAfter = <A, E, R>(
  {
    inFlight,
    waited,
    waitMillis
  }: {
    readonly waitMillis: () => number
    readonly waited: (millis: number) => Effect.Effect<void>
    readonly inFlight: InFlight
  },
  request: Effect.Effect<A, E, R>
): Effect.Effect<A, E, R> => {
  const later = (wait: number): Effect.Effect<A, E, R> => Effect.andThen(waited(wait), send)
  const send: Effect.Effect<A, E, R> = Effect.suspend(() => {
    const wait = waitMillis()
    if (wait > 0) return later(wait)
    // Checked again once it has a slot: a limit may have been learned in the meantime.
    const attempt = Effect.suspend(() => {
      const wait = waitMillis()
      return wait > 0 ? Effect.succeed(later(wait)) : Effect.map(request, Effect.succeed)
    })
    return Effect.flatten(inFlight.within(attempt))
  })
  return send
}
