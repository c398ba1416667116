import type { OperationBucket } from "../../feed/contract/Bucket.ts"
import { makeRateBucket, type RateBucket } from "./RateBucket.ts"
import { Schema } from "effect"
import { Count } from "../../feed/contract/Catalogue.ts"

/** The instants of the last window, in milliseconds. */
interface RecentTimes {
  readonly add: (at: number) => void
  /** How many are left of the window that ends at `at`; the others are forgotten. */
  readonly count: (at: number) => number
  /** The oldest that is left. */
  readonly oldest: () => number | undefined
}

/** An instant belongs to the window until `windowMillis` have passed. */
const makeRecentTimes = (windowMillis: number): RecentTimes => {
  let times: Array<number> = []
  /** Those before it are forgotten. */
  let first = 0
  return {
    add: (at) => void times.push(at),
    count: (at) => {
      while (first < times.length && (times[first] ?? at) <= at - windowMillis) first += 1
      if (first > 1000 && first * 2 > times.length) {
        times = times.slice(first)
        first = 0
      }
      return times.length - first
    },
    oldest: () => times[first]
  }
}

/** How an account used its limits: what came with one of its keys, refused requests included. */
export const TalliedRequests = Schema.Struct({
  requests: Count,
  /** Those answered with a 429. */
  refused: Count,
  /** The most that came in any 60 seconds. */
  mostInAMinute: Count
})
export type TalliedRequests = typeof TalliedRequests.Type

/** Counts the requests of one account. */
interface AccountTally {
  readonly add: (isRefused: boolean) => void
  readonly tallied: () => TalliedRequests
}

/** `now` is in milliseconds. */
const makeAccountTally = (now: () => number): AccountTally => {
  const recent = makeRecentTimes(60_000)
  const tallied = { requests: 0, refused: 0, mostInAMinute: 0 }
  return {
    add: (isRefused) => {
      const at = now()
      recent.add(at)
      tallied.requests += 1
      if (isRefused) tallied.refused += 1
      tallied.mostInAMinute = Math.max(tallied.mostInAMinute, recent.count(at))
    },
    tallied: () => ({ ...tallied })
  }
}

/**
 * A bucket that lets `limit` requests through in any stretch of its window's length: each counts until the window has
 * passed since it came. `now` is in milliseconds.
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

/** How a bucket fills again: evenly, or each request counts until the window has passed. */
export type RateWindow = "refill" | "sliding"

/** The rate buckets of all accounts, made when they are first needed. */
export interface AccountBuckets {
  /** `global`, then the operation's own one. An account has each once, whichever of its keys is used. */
  readonly of: (accountId: string, operation: OperationBucket | null) => readonly [RateBucket, ...Array<RateBucket>]
  /** Requests a minute in `global`. */
  readonly limit: number
  /** Counts a request of an account. */
  readonly count: (accountId: string, isRefused: boolean) => void
  /** What came from each account so far. */
  readonly tallied: () => ReadonlyArray<TalliedRequests & { readonly accountId: string }>
}

/** The size of `global` at which the buckets of operations have the contract's sizes. */
const contractRate = 60

/** `perMinute` is the size of `global`; the buckets of operations grow and shrink with it. */
export const makeAccountBuckets = (perMinute: number, window: RateWindow, now: () => number): AccountBuckets => {
  const makeBucket = window === "sliding" ? makeSlidingBucket : makeRateBucket
  const tallies = new Map<string, AccountTally>()
  const made = new Map<string, RateBucket>()
  const bucketOf = (accountId: string, bucket: OperationBucket) => {
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
    limit: perMinute,
    count: (accountId, isRefused) => {
      const tally = tallies.get(accountId) ?? makeAccountTally(now)
      tallies.set(accountId, tally)
      tally.add(isRefused)
    },
    tallied: () => Array.from(tallies, ([accountId, { tallied }]) => ({ accountId, ...tallied() })),
    of: (accountId, operation) => {
      const global = bucketOf(accountId, { name: "global", limit: perMinute, windowSeconds: 60 })
      return operation === null ? [global] : [global, bucketOf(accountId, scaled(operation))]
    }
  }
}
