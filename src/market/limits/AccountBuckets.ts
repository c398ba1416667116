import type { OperationBucket } from "../../feed/contract/Bucket.ts"
import { makeRateBucket, type RateBucket } from "./RateBucket.ts"
import { Schema } from "effect"
import { Count } from "../../feed/contract/Catalogue.ts"

/** Creates a window of instants, in milliseconds, of which each remains for `windowMillis`. */
const makeRecentTimes = (windowMillis: number) => {
  let times: Array<number> = []
  /** Index of the first remaining instant. */
  let first = 0
  return {
    add: (at: number) => void times.push(at),
    /** Removes instants before the window that ends at `at`, and counts the rest. */
    count: (at: number) => {
      while (first < times.length && (times[first] ?? at) <= at - windowMillis) first += 1
      if (first > 1000 && first * 2 > times.length) {
        times = times.slice(first)
        first = 0
      }
      return times.length - first
    },
    /** The oldest remaining instant. */
    oldest: () => times[first]
  }
}

/** An account's use of its limits. Refused requests are included. */
export const TalliedRequests = Schema.Struct({
  requests: Count,
  /** Requests answered with a 429. */
  refused: Count,
  /** Maximum number of requests in any 60 seconds. */
  maxPerMinute: Count
})
export type TalliedRequests = typeof TalliedRequests.Type

/** Creates a tally. `now` is in milliseconds. */
const makeAccountTally = (now: () => number) => {
  const recent = makeRecentTimes(60_000)
  const tallied = { requests: 0, refused: 0, maxPerMinute: 0 }
  return {
    add: (isRefused: boolean) => {
      const at = now()
      recent.add(at)
      tallied.requests += 1
      if (isRefused) tallied.refused += 1
      tallied.maxPerMinute = Math.max(tallied.maxPerMinute, recent.count(at))
    },
    tallied: (): TalliedRequests => ({ ...tallied })
  }
}

/**
 * Creates a bucket that allows `limit` requests in any window. Each request counts until the window has passed. `now`
 * is in milliseconds.
 */
const makeSlidingBucket = ({ limit, name, windowSeconds }: OperationBucket, now: () => number): RateBucket => {
  const windowMillis = windowSeconds * 1000
  const taken = makeRecentTimes(windowMillis)
  const remaining = () => limit - taken.count(now())
  return {
    name,
    limit,
    take: () => {
      const at = now()
      if (taken.count(at) >= limit) return Math.max(1, Math.ceil(((taken.oldest() ?? at) + windowMillis - at) / 1000))
      taken.add(at)
      return 0
    },
    remaining
  }
}

/** How a bucket refills: evenly, or one window after each request. */
export type RateWindow = "refill" | "sliding"

/** Size of `global` for which operation buckets have the contract's sizes. */
const contractRate = 60

/** Creates the buckets of all accounts, each on demand. `perMinute` is the size of `global`; operation buckets scale with it. */
export const makeAccountBuckets = (perMinute: number, window: RateWindow, now: () => number) => {
  const makeBucket = window === "sliding" ? makeSlidingBucket : makeRateBucket
  const tallies = new Map<string, ReturnType<typeof makeAccountTally>>()
  const made = new Map<string, RateBucket>()
  const getBucket = (accountId: string, bucket: OperationBucket) => {
    const place = `${bucket.name} ${accountId}`
    const found = made.get(place) ?? makeBucket(bucket, now)
    made.set(place, found)
    return found
  }
  const scaled = (bucket: OperationBucket) => ({
    ...bucket,
    limit: Math.max(1, Math.round((bucket.limit * perMinute) / contractRate))
  })
  return {
    /** Requests per minute in `global`. */
    limit: perMinute,
    /** Counts a request of an account. */
    count: (accountId: string, isRefused: boolean) => {
      const tally = tallies.get(accountId) ?? makeAccountTally(now)
      tallies.set(accountId, tally)
      tally.add(isRefused)
    },
    /** Returns the request counts of each account. */
    tallied: () => Array.from(tallies, ([accountId, { tallied }]) => ({ accountId, ...tallied() })),
    /** Returns `global` and the operation's bucket. All keys of an account share them. */
    of: (accountId: string, operation: OperationBucket | null): readonly [RateBucket, ...Array<RateBucket>] => {
      const global = getBucket(accountId, { name: "global", limit: perMinute, windowSeconds: 60 })
      return operation === null ? [global] : [global, getBucket(accountId, scaled(operation))]
    }
  }
}
export type AccountBuckets = ReturnType<typeof makeAccountBuckets>
