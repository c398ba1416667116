import { Clock, Effect } from "effect"

/** What the service has said of its limits; null until it has. Beyond the spec: section 3. */
export interface RateLimit {
  readonly bucket: string
  readonly limit: number | null
  readonly remaining: number | null
}

/** The one limiter that all games share. Unlimited until the service says otherwise. */
export interface RateBudget {
  /** Waits while the budget is paused. */
  readonly pass: Effect.Effect<void>
  /** A 429: nobody sends anything for so long. */
  readonly pause: (millis: number) => Effect.Effect<void>
  /** Takes note of a limit seen in headers or in a 429 body. */
  readonly learn: (seen: RateLimit) => void
  readonly seen: () => RateLimit | null
}

/** A budget with nothing learned yet. */
export const makeRateBudget = (): RateBudget => {
  let pausedUntil = 0
  let last: RateLimit | null = null
  const pass: Effect.Effect<void> = Effect.flatMap(Clock.currentTimeMillis, (now) =>
    now < pausedUntil ? Effect.andThen(Effect.sleep(pausedUntil - now), pass) : Effect.void
  )
  return {
    pass,
    pause: (millis) =>
      Effect.map(Clock.currentTimeMillis, (now) => {
        pausedUntil = Math.max(pausedUntil, now + millis)
      }),
    learn: (seen) => {
      last = seen
    },
    seen: () => last
  }
}
