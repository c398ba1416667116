import { Clock, Effect } from "effect"

/** What was asked of the marketplace, for a game or altogether. */
export interface Asked {
  /** Attempts that were sent. */
  readonly requests: number
  /** Those of them that repeat another. */
  readonly retried: number
  /** How long at least one request waited for a rate limit. */
  readonly waitedMillis: number
}

interface Count {
  requests: number
  retried: number
  waitedMillis: number
  /** Requests that wait now, and since when one or the other does. */
  waiting: number
  sinceMillis: number
}

/** Counts requests and waits. */
export const makeRequestTally = () => {
  const all = newCount()
  const games = new Map<string, Count>()
  const countsOf = (game: string | null): ReadonlyArray<Count> => {
    if (game === null) return [all]
    const own = games.get(game) ?? newCount()
    games.set(game, own)
    return [all, own]
  }
  const begin = (game: string | null) =>
    Effect.map(Clock.currentTimeMillis, (now) => {
      for (const count of countsOf(game)) {
        if (count.waiting === 0) count.sinceMillis = now
        count.waiting += 1
      }
    })
  const end = (game: string | null) =>
    Effect.map(Clock.currentTimeMillis, (now) => {
      for (const count of countsOf(game)) {
        count.waiting -= 1
        if (count.waiting === 0) count.waitedMillis += Math.max(0, now - count.sinceMillis)
      }
    })
  return {
    sent: (game: string | null) => {
      for (const count of countsOf(game)) count.requests += 1
    },
    retried: (game: string | null) => {
      for (const count of countsOf(game)) count.retried += 1
    },
    /** A request of the game waits for a rate limit. */
    whileWaiting: <A, E, R>(game: string | null, wait: Effect.Effect<A, E, R>) =>
      Effect.acquireUseRelease(
        begin(game),
        () => wait,
        () => end(game)
      ),
    /** From now on: what was asked for one game, or altogether. */
    count: Effect.map(Clock.currentTimeMillis, (now) => {
      const before = new Map([...games].map(([game, count]) => [game, askedBy(count, now)]))
      const allBefore = askedBy(all, now)
      return (game?: string) =>
        Effect.map(Clock.currentTimeMillis, (now) =>
          game === undefined
            ? minus(askedBy(all, now), allBefore)
            : minus(askedBy(games.get(game) ?? newCount(), now), before.get(game) ?? newCount())
        )
    })
  }
}

export type RequestTally = ReturnType<typeof makeRequestTally>

const askedBy = ({ requests, retried, sinceMillis, waitedMillis, waiting }: Count, now: number): Asked => ({
  requests,
  retried,
  waitedMillis: waitedMillis + (waiting === 0 ? 0 : Math.max(0, now - sinceMillis))
})

const minus = (after: Asked, before: Asked): Asked => ({
  requests: after.requests - before.requests,
  retried: after.retried - before.retried,
  waitedMillis: after.waitedMillis - before.waitedMillis
})

const newCount = (): Count => ({ requests: 0, retried: 0, waitedMillis: 0, waiting: 0, sinceMillis: 0 })
