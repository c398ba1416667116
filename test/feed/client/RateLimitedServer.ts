import type { ServerResponse } from "node:http"
import { makeRateBucket } from "../../../src/market/limits/RateBucket.ts"
import { sendError } from "./StrangeServer.ts"

/** How long a minute lasts on the limited server, in milliseconds. */
export const minuteMillis = 600

/**
 * A bucket of `limit` requests a minute, and as many at once. `refuses` is true where it has
 * answered 429; `headers` go with every other answer, and are empty unless `states`. `millis`: how long a minute is.
 */
export const rateLimited = (
  limit: number,
  options: { readonly bucket?: string; readonly states?: boolean; readonly millis?: number } = {}
) => {
  const { bucket: name = "global", millis = minuteMillis, states = true } = options
  const now = () => (performance.now() * 60_000) / millis
  const bucket = makeRateBucket({ name: "global", limit, windowSeconds: 60 }, now)
  const counts = { refused: 0, passed: 0 }
  const headers = () =>
    states ? { "x-ratelimit-limit": String(limit), "x-ratelimit-remaining": String(bucket.remaining()) } : {}
  return {
    counts,
    headers,
    refuses: (response: ServerResponse): boolean => {
      const seconds = bucket.take()
      if (seconds === 0) {
        counts.passed += 1
        return false
      }
      counts.refused += 1
      const retryAfter = (seconds * millis) / 60_000
      sendError(response, 429, "TOO_MANY_REQUESTS", { bucket: name, limit, retryAfter }, headers())
      return true
    }
  }
}

/** At most `limit` requests within any minute; `most` is how many there were. `millis`: how long a minute is. */
export const slidingLimited = (limit: number, { earlier = 0, millis = minuteMillis } = {}) => {
  const arrivedMillis: Array<number> = Array.from({ length: earlier }, () => performance.now())
  const counts = { refused: 0, most: earlier }
  return {
    counts,
    arrivedMillis,
    /** The headers of the answer; null if it was refused. */
    admit: (response: ServerResponse): Record<string, string> | null => {
      const now = performance.now()
      const within = arrivedMillis.filter((at) => at > now - millis).length
      if (within >= limit) {
        counts.refused += 1
        sendError(response, 429, "TOO_MANY_REQUESTS", { bucket: "global", limit, retryAfter: 1 })
        return null
      }
      arrivedMillis.push(now)
      counts.most = Math.max(counts.most, within + 1)
      return { "x-ratelimit-limit": String(limit), "x-ratelimit-remaining": String(limit - within - 1) }
    }
  }
}
