import { Clock, Effect } from "effect"
import { makeInFlight } from "./InFlight.ts"
import { makeLearnedBucket } from "./LearnedBucket.ts"
import type { LearnedBucket } from "./LearnedBucket.ts"

/** What the service has said of its limits; null until it has. Beyond the spec: section 3. */
export interface RateLimit {
  readonly bucket: string
  readonly limit: number | null
  readonly remaining: number | null
}

/** When something was sent, and how long a minute is. */
export interface Moment {
  readonly sentMillis: number
  readonly nowMillis: number
  readonly minuteMillis: number
}

/** The one limiter that all games share. Unlimited until the service says otherwise. An operation is a kind of request: `products`. */
export interface RateBudget {
  /** Sends a request as soon as its buckets and the number of requests under way allow it. */
  readonly within: <A, E, R>(operation: string, request: Effect.Effect<A, E, R>) => Effect.Effect<A, E, R>
  /** An answer ended after so long; `failed`: with 429, 503 or without an answer. */
  readonly ended: (operation: string, moment: Moment, failed: boolean) => Effect.Effect<void>
  /** Limit and what remains of it, as the headers of an answer say. */
  readonly learn: (operation: string, seen: RateLimit, moment: Moment) => void
  /** A 429, and how long it asks to wait. */
  readonly refuse: (operation: string, seen: RateLimit, waitMillis: number, moment: Moment) => void
  /** A 429 that does not say how long to wait: nobody sends anything for so long. */
  readonly pause: (millis: number) => Effect.Effect<void>
  readonly seen: () => RateLimit | null
  /** How long so many requests of an operation take at least, by its buckets; 0 where nothing holds them back. */
  readonly millisFor: (operation: string, requests: number, nowMillis: number) => number
}

/** Requests under way at once, over all games: PERFORMANCE.md, more brings nothing. */
const mostInFlight = 16

/** A budget with nothing learned yet. Buckets are told apart by their limit: headers do not name theirs. */
export const makeRateBudget = (): RateBudget => {
  const inFlight = makeInFlight(mostInFlight)
  const buckets = new Map<number, LearnedBucket>()
  /** By operation: the bucket of its headers, and those that refused it. */
  const stated = new Map<string, LearnedBucket>()
  const refusing = new Map<string, Set<LearnedBucket>>()
  const global = new Set<LearnedBucket>()
  const nothing: ReadonlySet<LearnedBucket> = new Set()
  let pausedUntil = -Infinity
  let last: RateLimit | null = null

  const bucketOf = (limit: number, { minuteMillis, nowMillis }: Moment): LearnedBucket => {
    const bucket = buckets.get(limit) ?? makeLearnedBucket(limit, nowMillis, minuteMillis)
    buckets.set(limit, bucket)
    return bucket
  }
  const bucketsOf = function* (operation: string): Generator<LearnedBucket> {
    const own = stated.get(operation)
    if (own !== undefined) yield own
    for (const bucket of global) if (bucket !== own) yield bucket
    for (const bucket of refusing.get(operation) ?? nothing) if (bucket !== own && !global.has(bucket)) yield bucket
  }

  const within = <A, E, R>(operation: string, request: Effect.Effect<A, E, R>): Effect.Effect<A, E, R> =>
    Effect.flatMap(Clock.Clock, (clock) => {
      const held = new Set<LearnedBucket>()
      const waitMillis = (): number => {
        const now = clock.currentTimeMillisUnsafe()
        let wait = pausedUntil - now
        for (const bucket of bucketsOf(operation)) {
          wait = Math.max(wait, held.has(bucket) ? bucket.pausedMillis(now) : bucket.take(now))
          held.add(bucket)
        }
        return wait
      }
      const send: Effect.Effect<A, E, R> = Effect.suspend(() => {
        const wait = waitMillis()
        if (wait > 0) return Effect.andThen(Effect.sleep(wait), send)
        // Looked at again with a place at hand: while it was waited for, a limit may have been learned.
        const attempt = Effect.suspend(() => {
          const wait = waitMillis()
          return wait > 0
            ? Effect.succeed(Effect.andThen(Effect.sleep(wait), send))
            : Effect.map(request, Effect.succeed)
        })
        return Effect.flatten(inFlight.within(attempt))
      })
      return Effect.ensuring(
        send,
        Effect.sync(() => {
          for (const bucket of held) bucket.done()
        })
      )
    })

  return {
    within,
    ended: (operation, { nowMillis, sentMillis }, failed) =>
      inFlight.ended(operation, sentMillis, nowMillis - sentMillis, failed),
    learn: (operation, seen, moment) => {
      last = seen
      if (seen.limit === null || seen.limit <= 0) return
      const bucket = bucketOf(seen.limit, moment)
      stated.set(operation, bucket)
      if (seen.remaining !== null) bucket.remains(seen.remaining, moment.nowMillis)
    },
    refuse: (operation, seen, waitMillis, moment) => {
      last = seen
      if (seen.limit === null || seen.limit <= 0) {
        pausedUntil = Math.max(pausedUntil, moment.nowMillis + waitMillis)
        return
      }
      const bucket = bucketOf(seen.limit, moment)
      bucket.refuse(waitMillis, moment.sentMillis, moment.nowMillis)
      if (seen.bucket === "global") global.add(bucket)
      else refusing.set(operation, (refusing.get(operation) ?? new Set()).add(bucket))
    },
    pause: (millis) =>
      Effect.map(Clock.currentTimeMillis, (now) => {
        pausedUntil = Math.max(pausedUntil, now + millis)
      }),
    seen: () => last,
    millisFor: (operation, requests, nowMillis) =>
      Math.max(0, ...[...bucketsOf(operation)].map((bucket) => bucket.millisFor(requests, nowMillis)))
  }
}
