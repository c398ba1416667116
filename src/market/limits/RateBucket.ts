import { factOfRequest } from "./factOfRequest.ts"
import type { OperationBucket } from "../../feed/contract/Bucket.ts"

/** A token bucket for `limit` requests that refills evenly over its window. Beyond the spec: section 3. */
export interface RateBucket {
  readonly name: string
  readonly limit: number
  /** Takes one request. Returns 0 if it is allowed, otherwise the seconds to wait, rounded up. */
  readonly take: () => number
  readonly remaining: () => number
}

/** More requests per minute than a local server can answer: practically unlimited. */
export const noLimit = 1_000_000

/** Creates a bucket. `now` is in milliseconds. */
export const makeRateBucket = ({ limit, name, windowSeconds }: OperationBucket, now: () => number): RateBucket => {
  const perMilli = limit / (windowSeconds * 1000)
  let tokens = limit
  let filledAt = now()
  const refill = () => {
    const at = now()
    tokens = Math.min(limit, tokens + Math.max(0, at - filledAt) * perMilli)
    filledAt = at
  }
  return {
    name,
    limit,
    take: () => {
      refill()
      if (tokens < 1) return Math.max(1, Math.ceil((1 - tokens) / perMilli / 1000))
      tokens -= 1
      return 0
    },
    remaining: () => {
      refill()
      return Math.floor(tokens)
    }
  }
}

/** The rate limit for the headers of an answer. The key check fills it in. */
export interface RateNote {
  /** The `global` bucket of the caller's account; undefined without a valid key. */
  bucket: RateBucket | undefined
  /** Seconds to wait after a bucket was empty. */
  retryAfter: number
}

export const RateNote = factOfRequest<RateNote>({ bucket: undefined, retryAfter: 0 })
