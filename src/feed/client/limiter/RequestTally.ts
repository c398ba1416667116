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

class Count {
  requests = 0
  retried = 0
  #waitedMillis = 0
  /** Requests that wait now, and since when one or the other does. */
  #waiting = 0
  #sinceMillis = 0

  /** So many more requests wait from now on. */
  wait(more: 1 | -1, now: number): void {
    this.#waitedMillis = this.at(now).waitedMillis
    this.#sinceMillis = now
    this.#waiting += more
  }

  at(now: number): Asked {
    const waits = this.#waiting === 0 ? 0 : Math.max(0, now - this.#sinceMillis)
    return { requests: this.requests, retried: this.retried, waitedMillis: this.#waitedMillis + waits }
  }
}

/** Counts requests and waits. */
export const makeRequestTally = () => {
  const all = new Count()
  const games = new Map<string, Count>()
  const countOf = (game: string): Count => {
    const count = games.get(game) ?? new Count()
    games.set(game, count)
    return count
  }
  const each = (game: string | null, change: (count: Count) => void) =>
    (game === null ? [all] : [all, countOf(game)]).forEach(change)
  const wait = (game: string | null, more: 1 | -1) =>
    Effect.map(Clock.currentTimeMillis, (now) => each(game, (count) => count.wait(more, now)))
  return {
    sent: (game: string | null) => each(game, (count) => void (count.requests += 1)),
    retried: (game: string | null) => each(game, (count) => void (count.retried += 1)),
    /** A request of the game waits for a rate limit. */
    whileWaiting: <A, E, R>(game: string | null, waiting: Effect.Effect<A, E, R>) =>
      Effect.acquireUseRelease(
        wait(game, 1),
        () => waiting,
        () => wait(game, -1)
      ),
    /** From now on: what was asked for one game, or altogether. */
    count: Effect.map(Clock.currentTimeMillis, (now) => {
      const before = new Map([...games].map(([game, count]) => [game, count.at(now)]))
      const allBefore = all.at(now)
      return (game?: string) =>
        Effect.map(Clock.currentTimeMillis, (now) =>
          game === undefined ? minus(all.at(now), allBefore) : minus(countOf(game).at(now), before.get(game))
        )
    })
  }
}

export type RequestTally = ReturnType<typeof makeRequestTally>

const minus = (after: Asked, before: Asked = { requests: 0, retried: 0, waitedMillis: 0 }): Asked => ({
  requests: after.requests - before.requests,
  retried: after.retried - before.retried,
  waitedMillis: after.waitedMillis - before.waitedMillis
})
