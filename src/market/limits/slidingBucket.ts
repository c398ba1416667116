import type { OperationBucket } from "../../contract/Bucket.ts"
import type { RateBucket } from "./RateBucket.ts"
import { makeRecentTimes } from "./RecentTimes.ts"

/**
 * A bucket that lets `limit` requests through in any stretch of its window's length: each counts until the window has
 * passed since it came. `now` is in milliseconds.
 */
export const makeSlidingBucket = ({ limit, name, windowSeconds }: OperationBucket, now: () => number): RateBucket => {
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
