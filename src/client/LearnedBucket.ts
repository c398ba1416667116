/** Windows that services count in, in minutes: one, ten, an hour, a day. */
const windows = [1, 10, 60, 1440]

/** Share of the learned rate that is used: clocks differ, and the limit must not be reached. */
const share = 0.95

/** The rate never falls below this share of what the service states: other programs may use the same account. */
const maxSlowness = 8

/**
 * A rate bucket as answers show it: `limit` tokens that refill evenly over a minute, or longer if a `Retry-After`
 * says so. A 429 that comes although this bucket held back halves the rate.
 */
export interface LearnedBucket {
  readonly limit: number
  /** Takes a token, now or ahead of time: how long to wait before the request goes out. */
  readonly take: (nowMillis: number) => number
  /** A request that took a token was answered or abandoned. */
  readonly done: () => void
  /** An answer to a request that is not yet {@link done} said how many tokens are left. */
  readonly remains: (remaining: number, nowMillis: number) => void
  /** A request that went out at `sentMillis` was answered 429. */
  readonly refuse: (waitMillis: number, sentMillis: number, nowMillis: number) => void
  /** How long nobody may send. */
  readonly pausedMillis: (nowMillis: number) => number
  /** How long this many requests take, none of which has begun. */
  readonly millisFor: (requests: number, nowMillis: number) => number
}

/** A bucket of which only the limit is known. */
export const makeLearnedBucket = (limit: number, nowMillis: number, minuteMillis: number): LearnedBucket => {
  let window = minuteMillis
  let slowness = 1
  let tokens = limit
  let filledAt = nowMillis
  let pausedUntil = -Infinity
  let taughtAt = -Infinity
  /** Tokens of requests that are not answered yet: the service may not have counted them. */
  let promised = 0

  const perMilli = () => (share * limit) / window / slowness
  const fill = (now: number) => {
    tokens = Math.min(limit, tokens + Math.max(0, now - filledAt) * perMilli())
    filledAt = now
  }
  return {
    limit,
    take: (now) => {
      fill(now)
      tokens -= 1
      promised += 1
      return Math.max(pausedUntil - now, tokens >= 0 ? 0 : -tokens / perMilli())
    },
    done: () => {
      promised -= 1
    },
    remains: (remaining, now) => {
      fill(now)
      tokens = Math.min(tokens, remaining - Math.max(0, promised - 1))
    },
    refuse: (waitMillis, sentMillis, now) => {
      fill(now)
      tokens = Math.min(tokens, 0)
      pausedUntil = Math.max(pausedUntil, now + waitMillis)
      // Of several that were under way together, only the first one counts.
      if (sentMillis < taughtAt) return
      const fitting = windows.find((minutes) => minutes * minuteMillis >= waitMillis) ?? 1440
      if (taughtAt > -Infinity && fitting * minuteMillis <= window) slowness = Math.min(maxSlowness, slowness * 2)
      window = Math.max(window, fitting * minuteMillis)
      taughtAt = now
    },
    pausedMillis: (now) => Math.max(0, pausedUntil - now),
    millisFor: (requests, now) => {
      fill(now)
      return Math.max(pausedUntil - now, (requests - Math.max(0, tokens)) / perMilli(), 0)
    }
  }
}
