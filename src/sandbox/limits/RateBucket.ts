/** The rate bucket of the account. Beyond the spec: section 3, bucket `global`. */
export interface RateBucket {
  readonly name: string
  /** Requests per minute, which is also the burst. */
  readonly limit: number
  /** Takes one request: 0 when it may go on, else the whole seconds to wait. */
  readonly take: () => number
  readonly remaining: () => number
  /** Whole seconds until the next request may go on; 0 when one may go on now. */
  readonly retryAfter: () => number
}

/** Far above what a local server answers: as good as no limit. */
export const noLimit = 1_000_000

/** A token bucket of `limit` requests that refills evenly over a minute. `now` is in milliseconds. */
export const makeRateBucket = (limit: number, now: () => number = performance.now.bind(performance)): RateBucket => {
  const perMilli = limit / 60_000
  let tokens = limit
  let filledAt = now()
  const refill = () => {
    const at = now()
    tokens = Math.min(limit, tokens + (at - filledAt) * perMilli)
    filledAt = at
  }
  const retryAfter = () => {
    refill()
    return tokens >= 1 ? 0 : Math.max(1, Math.ceil((1 - tokens) / perMilli / 1000))
  }
  return {
    name: "global",
    limit,
    retryAfter,
    take: () => {
      const wait = retryAfter()
      if (wait === 0) tokens -= 1
      return wait
    },
    remaining: () => {
      refill()
      return Math.floor(tokens)
    }
  }
}
