import { Effect, Semaphore } from "effect"

/** Requests under way at once, over all games: more brings nothing. */
const maxInFlight = 16

/** An answer faster than this is never slow: on a busy machine, a page waits that long for us. */
const slowMillis = 1000
/** An answer that takes this many times as long as the best one of its operation is slow. */
const slowTimes = 4

interface EndedRequest {
  readonly sentMillis: number
  readonly endedMillis: number
  readonly failed: boolean
}

/**
 * The gate that every request of every game passes: it limits how many are under way at once, and adapts. A slow answer,
 * or none, halves the limit, once for all requests then under way. As many good answers as fit through raise it by one.
 */
export const makeInFlight = () => {
  const slots = Semaphore.makeUnsafe(maxInFlight)
  const best = new Map<string, number>()
  let limit = maxInFlight
  let good = 0
  let halvedAt = -Infinity

  const isSlow = (operation: string, millis: number): boolean => {
    const least = Math.min(best.get(operation) ?? Infinity, millis)
    best.set(operation, least)
    return millis > Math.max(slowMillis, slowTimes * least)
  }
  const resize = (next: number) => {
    limit = next
    good = 0
    return slots.resize(limit)
  }
  return {
    within: slots.withPermit,
    /** A request of `operation` has ended; it `failed` with 429, 503 or without an answer. */
    ended: (operation: string, { endedMillis, failed, sentMillis }: EndedRequest): Effect.Effect<void> => {
      if (failed || isSlow(operation, endedMillis - sentMillis)) {
        if (sentMillis < halvedAt) return Effect.void
        halvedAt = endedMillis
        return resize(Math.max(1, Math.floor(limit / 2)))
      }
      good += 1
      return limit < maxInFlight && good >= limit ? resize(limit + 1) : Effect.void
    }
  }
}
