import { Clock, Effect } from "effect"
import { makeInFlight } from "./InFlight.ts"
import { makeLearnedBucket } from "./LearnedBucket.ts"
import type { LearnedBucket } from "./LearnedBucket.ts"
import { RetryPolicy } from "./RetryPolicy.ts"
import { waitFor } from "./Waiting.ts"

/** Who sends a request: the kind of request, `products`, and the game it is about, null for what is about none. */
export interface Asker {
  readonly operation: string
  readonly game: string | null
}

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

/**
 * The one limiter of all games. Unlimited until the service says otherwise. What headers state holds for every game; a 429 for its own
 * game, until its bucket is `global` or has refused another game too.
 */
export interface RateBudget {
  /** Sends a request as soon as its buckets and the number of requests under way allow it; no single wait is beyond the policy's bound. */
  readonly within: <A, E, R>(asker: Asker, request: Effect.Effect<A, E, R>) => Effect.Effect<A, E, R>
  /** An answer ended after so long; `failed`: with 429, 503 or without an answer. */
  readonly ended: (asker: Asker, moment: Moment, failed: boolean) => Effect.Effect<void>
  /** Limit and what remains of it, as the headers of an answer say. */
  readonly learn: (asker: Asker, seen: RateLimit, moment: Moment) => void
  /** A 429, and how long it asks to wait. */
  readonly refuse: (asker: Asker, refusal: RateLimit & { readonly waitMillis: number }, moment: Moment) => void
  /** A 429 that does not say how long to wait: those it holds for send nothing for so long. */
  readonly pause: (asker: Asker, seen: Pick<RateLimit, "bucket" | "limit">, millis: number) => Effect.Effect<void>
  readonly seen: () => RateLimit | null
  /** How long so many requests of an operation take at least, by its buckets; 0 where nothing holds them back. */
  readonly millisFor: (asker: Asker, requests: number, nowMillis: number) => number
}

/** Requests under way at once, over all games: more brings nothing. */
const mostInFlight = 16

/** In place of a game: what holds for all of them. */
const everyGame = ""

/** A budget with nothing learned yet. Buckets are told apart by their limit: headers do not name theirs. */
export const makeRateBudget = (): RateBudget => {
  const inFlight = makeInFlight(mostInFlight)
  const buckets = new Map<string, LearnedBucket>()
  /** By operation: the bucket of its headers. By operation and game: those that refused it. */
  const stated = new Map<string, LearnedBucket>()
  const refusing = new Map<string, Set<LearnedBucket>>()
  const global = new Set<LearnedBucket>()
  /** By name and limit: the games that a bucket refused. */
  const refused = new Map<string, Set<string | null>>()
  const nothing: ReadonlySet<LearnedBucket> = new Set()
  const pausedUntil = new Map<string, number>()
  let last: RateLimit | null = null

  /** Whom a refusal holds for: its game, or every one. */
  const scopeOf = ({ game }: Asker, { bucket, limit }: Pick<RateLimit, "bucket" | "limit">): string => {
    const name = `${limit} ${bucket}`
    const games = (refused.get(name) ?? new Set()).add(game)
    refused.set(name, games)
    return bucket === "global" || games.size > 1 ? everyGame : keyOf(game)
  }
  const bucketOf = (limit: number, scope: string, { minuteMillis, nowMillis }: Moment): LearnedBucket => {
    const name = `${limit}${scope}`
    const bucket = buckets.get(name) ?? makeLearnedBucket(limit, nowMillis, minuteMillis)
    buckets.set(name, bucket)
    return bucket
  }
  const bucketsOf = ({ game, operation }: Asker): ReadonlySet<LearnedBucket> => {
    const own = stated.get(operation)
    return new Set([
      ...(own === undefined ? nothing : [own]),
      ...global,
      ...(refusing.get(`${operation}${everyGame}`) ?? nothing),
      ...(refusing.get(`${operation}${keyOf(game)}`) ?? nothing)
    ])
  }
  const pauseFor = (scope: string, untilMillis: number) =>
    void pausedUntil.set(scope, Math.max(pausedUntil.get(scope) ?? -Infinity, untilMillis))

  const within = <A, E, R>(asker: Asker, request: Effect.Effect<A, E, R>): Effect.Effect<A, E, R> =>
    Effect.gen(function* () {
      const clock = yield* Clock.Clock
      const { longestRateWaitMillis } = yield* RetryPolicy
      const held = new Set<LearnedBucket>()
      const waitMillis = (): number => {
        const now = clock.currentTimeMillisUnsafe()
        const until = (scope: string) => (pausedUntil.get(scope) ?? -Infinity) - now
        let wait = Math.max(until(everyGame), until(keyOf(asker.game)))
        for (const bucket of bucketsOf(asker)) {
          wait = Math.max(wait, held.has(bucket) ? bucket.pausedMillis(now) : bucket.take(now))
          held.add(bucket)
        }
        return Math.min(wait, longestRateWaitMillis)
      }
      const send: Effect.Effect<A, E, R> = Effect.suspend(() => {
        const wait = waitMillis()
        if (wait > 0) return Effect.andThen(waitFor(wait, "rate limit"), send)
        // Looked at again with a place at hand: while it was waited for, a limit may have been learned.
        const attempt = Effect.suspend(() => {
          const wait = waitMillis()
          return wait > 0
            ? Effect.succeed(Effect.andThen(waitFor(wait, "rate limit"), send))
            : Effect.map(request, Effect.succeed)
        })
        return Effect.flatten(inFlight.within(attempt))
      })
      return yield* Effect.ensuring(
        send,
        Effect.sync(() => {
          for (const bucket of held) bucket.done()
        })
      )
    })

  return {
    within,
    ended: ({ operation }, { nowMillis, sentMillis }, failed) =>
      inFlight.ended({ operation, sentMillis, millis: nowMillis - sentMillis, failed }),
    learn: ({ operation }, seen, moment) => {
      last = seen
      if (seen.limit === null) return
      const bucket = bucketOf(seen.limit, everyGame, moment)
      stated.set(operation, bucket)
      if (seen.remaining !== null) bucket.remains(seen.remaining, moment.nowMillis)
    },
    refuse: (asker, { waitMillis, ...seen }, moment) => {
      last = seen
      const scope = scopeOf(asker, seen)
      if (seen.limit === null) return pauseFor(scope, moment.nowMillis + waitMillis)
      const bucket = bucketOf(seen.limit, scope, moment)
      bucket.refuse(waitMillis, moment.sentMillis, moment.nowMillis)
      if (seen.bucket === "global") return void global.add(bucket)
      const name = `${asker.operation}${scope}`
      refusing.set(name, (refusing.get(name) ?? new Set()).add(bucket))
    },
    pause: (asker, seen, millis) =>
      Effect.map(Clock.currentTimeMillis, (now) => pauseFor(scopeOf(asker, seen), now + millis)),
    seen: () => last,
    millisFor: (asker, requests, nowMillis) =>
      Math.max(0, ...[...bucketsOf(asker)].map((bucket) => bucket.millisFor(requests, nowMillis)))
  }
}

/** No game's key is that of {@link everyGame}. */
const keyOf = (game: string | null): string => (game === null ? " " : ` ${game}`)
