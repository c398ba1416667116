import { Effect, Semaphore } from "effect"

/** A request that went out at `sentMillis` and took `millis`. */
export interface EndedRequest {
  readonly operation: string
  readonly sentMillis: number
  readonly millis: number
  /** With 429, 503 or without an answer. */
  readonly failed: boolean
}

/** The gate that every request of every game passes: limits how many are under way at once. */
export interface InFlight {
  readonly within: <A, E, R>(request: Effect.Effect<A, E, R>) => Effect.Effect<A, E, R>
  readonly ended: (request: EndedRequest) => Effect.Effect<void>
  readonly limit: () => number
}

/** An answer faster than this is never slow: on a busy machine, a page waits that long for us. */
const slowMillis = 1000
/** An answer that takes this many times as long as the best one of its operation is slow. */
const slowTimes = 4

/**
 * A gate that opens at `most` and adapts: a slow answer, or none, halves it, once for all requests then under way.
 * As many good answers as fit through it raise it by one, up to `most` again.
 */
export const makeInFlight = (most: number): InFlight => {
  const slots = Semaphore.makeUnsafe(most)
  const best = new Map<string, number>()
  let limit = most
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
    ended: ({ failed, millis, operation, sentMillis }) => {
      if (failed || isSlow(operation, millis)) {
        if (sentMillis < halvedAt) return Effect.void
        halvedAt = sentMillis + millis
        return resize(Math.max(1, Math.floor(limit / 2)))
      }
      good += 1
      return limit < most && good >= limit ? resize(limit + 1) : Effect.void
    },
    limit: () => limit
  }
}
