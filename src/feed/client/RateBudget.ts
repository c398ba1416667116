import { Clock, Effect } from "effect"
import { BudgetUnasked } from "./KeyBudget.ts"
import { type BudgetShare, everyGame, keyOf, makeBuckets } from "./Buckets.ts"
import { makeInFlight, type InFlight } from "./InFlight.ts"
import type { LearnedBucket } from "./LearnedBucket.ts"
import type { Turn } from "./Turns.ts"
import type { Asker, Moment, RateLimit } from "./RateLimit.ts"
import type { OwnBuckets } from "./OwnBuckets.ts"
import { makeRequestTally, type RequestTally } from "./RequestTally.ts"
import { RetryPolicy } from "./RetryPolicy.ts"
import { makeSharedTurns, type SharedBudget } from "./shared/SharedTurns.ts"
import { type Granted, waitFor } from "./CallContext.ts"

/** What a request has to pass. */
interface Ways<E> {
  /** Until its turn; 0 = it is due, and goes out. */
  readonly waitMillis: () => number
  readonly waited: (millis: number) => Effect.Effect<void>
  /** What workers share; always open where nobody does. */
  readonly gate: {
    readonly isOpen: () => boolean
    readonly pass: () => boolean
    readonly obtain: Effect.Effect<void, E>
  }
  readonly inFlight: InFlight
}

/** Sends a request once there is nothing left to wait for and a slot is free. */
const sendAfter = <A, E, R, E2>(
  { gate, inFlight, waited, waitMillis }: Ways<E2>,
  request: Effect.Effect<A, E, R>
): Effect.Effect<A, E | E2, R> => {
  type Sent = Effect.Effect<A, E | E2, R>
  const later = (wait: number): Sent => Effect.andThen(waited(wait), send)
  const obtained: Sent = Effect.andThen(
    gate.obtain,
    Effect.suspend(() => send)
  )
  const send: Sent = Effect.suspend(() => {
    const wait = waitMillis()
    if (wait > 0) return later(wait)
    if (!gate.isOpen()) return obtained
    // Checked again once it has a slot: a limit may have been learned in the meantime, or a lease has ended.
    const attempt = Effect.suspend((): Effect.Effect<Sent, E, R> => {
      const wait = waitMillis()
      if (wait > 0) return Effect.succeed(later(wait))
      return gate.pass() ? Effect.map(request, Effect.succeed) : Effect.succeed(obtained)
    })
    return Effect.flatten(inFlight.within(attempt))
  })
  return send
}

// Not Effect's withRateLimiter: it needs the limit beforehand. Without it, 150 requests at 60 a minute met 8 to 946
// refusals; with a guess of 60, every faster service is read at 60 a minute. Here: none, or those then under way.

/**
 * The one limiter of all games; unlimited until the service says otherwise. Headers count for every game,
 * a 429 for its own game until its bucket is `global` or has refused another game too.
 */
export interface RateBudget {
  /**
   * Sends a request once its buckets and the requests under way allow it. No wait is longer than the policy says. Fails
   * only where workers share the budget.
   */
  readonly within: <A, E, R>(asker: Asker, request: Effect.Effect<A, E, R>) => Effect.Effect<A, E | BudgetUnasked, R>
  /** An answer ended after this long; `failed`: with 429, 503 or without an answer. */
  readonly ended: (asker: Asker, moment: Moment, failed: boolean) => Effect.Effect<void>
  /** The limit and what remains of it, as an answer's headers say. */
  readonly learn: (asker: Asker, seen: RateLimit, moment: Moment) => void
  /** An answer stated no limit. */
  readonly unstated: () => void
  /** A 429, and how long it asks to wait. */
  readonly refuse: (asker: Asker, refusal: RateLimit & { readonly waitMillis: number }, moment: Moment) => void
  /** A 429 that does not say how long to wait: the requests it applies to wait this long. */
  readonly pause: (asker: Asker, seen: Pick<RateLimit, "bucket" | "limit">, millis: number) => Effect.Effect<void>
  /** Tells workers that share the budget what was refused. */
  readonly tell: Effect.Effect<void>
  /** What was granted of a budget that workers share; null: nobody shares it. */
  readonly granted: () => Granted | null
  readonly seen: () => RateLimit | null
  readonly tally: RequestTally
  /** How long this many requests of an operation take at least, by its buckets; 0 if nothing holds them back. */
  readonly millisFor: (asker: Asker, requests: number, nowMillis: number) => number
  /** The buckets of single operations. */
  readonly own: Pick<OwnBuckets, "recall" | "told">
  /** The same if nothing of the buckets were used; null: none is known. */
  readonly millisAfresh: (asker: Asker, requests: number) => number | null
}

const always = () => true

/** Requests under way at once, over all games: more brings nothing. */
const maxInFlight = 16

/** A budget with nothing learned yet, of which this program uses a share; the key's may be shared with other workers. */
export const makeRateBudget = (share: BudgetShare, sharing: SharedBudget | null = null): RateBudget => {
  const inFlight = makeInFlight(maxInFlight)
  const buckets = makeBuckets(share)
  const tally = makeRequestTally()
  const pausedUntil = new Map<string, number>()
  let last: RateLimit | null = null
  const moment = { sentMillis: 0, nowMillis: 0, minuteMillis: sharing?.minuteMillis ?? 0 }
  const shared =
    sharing === null
      ? null
      : makeSharedTurns(sharing, ({ bucket, game, kind, limit, operation }) => {
          if (kind === "stated") buckets.stated(operation, limit, moment)
          if (kind === "refused") buckets.refusing({ operation, game }, { bucket, limit, remaining: 0 }, moment)
        })

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
        const sharedTurn = shared?.turn(() => buckets.of(asker)) ?? null
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
          sharedTurn?.end()
        })
        const sent = Effect.suspend(() => {
          tally.sent(asker.game)
          return request
        })
        const waited = (wait: number, why = "rate limit") => tally.whileWaiting(asker.game, waitFor(wait, why))
        const obtain = Effect.suspend(() =>
          clock.currentTimeMillisUnsafe() > latestMillis
            ? new BudgetUnasked({ reason: `others have used it for ${maxRateWaitMillis / 60_000} minutes` })
            : Effect.flatMap(sharedTurn?.obtain ?? Effect.succeed(0), (asked) => {
                const wait = Math.min(asked, latestMillis - clock.currentTimeMillisUnsafe())
                if (wait <= 0) return Effect.void
                return Effect.andThen(
                  waited(wait, "rate limit of a key that workers share"),
                  shared?.waited(wait) ?? Effect.void
                )
              })
        )
        const gate = { isOpen: sharedTurn?.isDue ?? always, pass: sharedTurn?.use ?? always, obtain }
        return yield* Effect.ensuring(sendAfter({ waitMillis, waited, gate, inFlight }, sent), end)
      }),
    ended: ({ operation }, { nowMillis, sentMillis }, failed) =>
      inFlight.ended({ operation, sentMillis, millis: nowMillis - sentMillis, failed }),
    learn: ({ operation }, seen, moment) => {
      last = seen
      if (seen.limit === null) return
      const bucket = buckets.stated(operation, seen.limit, moment)
      shared?.learned({ kind: "stated", operation, game: null, bucket: seen.bucket, limit: seen.limit })
      if (seen.remaining === null) return
      // Of what workers share, most was asked by others of them.
      if (shared === null) bucket.remains(seen.remaining, moment.nowMillis)
      else shared.counted(bucket, seen.limit - seen.remaining)
    },
    unstated: () => shared?.learned({ kind: "silent", operation: "", game: null, bucket: "", limit: 0 }),
    refuse: (asker, { waitMillis, ...seen }, moment) => {
      last = seen
      const bucket = buckets.refusing(asker, seen, moment)
      shared?.hold(bucket, waitMillis)
      if (bucket === null || seen.limit === null)
        return pauseFor(buckets.scopeOf(asker, seen), moment.nowMillis + waitMillis)
      shared?.learned({ kind: "refused", ...asker, bucket: seen.bucket, limit: seen.limit })
      bucket.refuse(waitMillis, moment.sentMillis, moment.nowMillis)
    },
    pause: (asker, seen, millis) =>
      Effect.flatMap(Clock.currentTimeMillis, (now) => {
        pauseFor(buckets.scopeOf(asker, seen), now + millis)
        shared?.hold(null, millis)
        return shared?.tell ?? Effect.void
      }),
    tell: shared?.tell ?? Effect.void,
    granted: () => shared?.granted() ?? null,
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
