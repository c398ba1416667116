import { Clock, Effect } from "effect"

/** The number of requests to the marketplace, for a game or in total. */
export interface RequestCounts {
  readonly requests: number
  readonly retried: number
  /** The time during which at least one request waited for a rate limit. */
  readonly waitedMillis: number
}

class Count {
  requests = 0
  retried = 0
  #waitedMillis = 0
  /** The number of waiting requests, and the start of the current wait. */
  #waiting = 0
  #sinceMillis = 0

  wait(more: 1 | -1, now: number): void {
    this.#waitedMillis = this.at(now).waitedMillis
    this.#sinceMillis = now
    this.#waiting += more
  }

  at(now: number): RequestCounts {
    const waits = this.#waiting === 0 ? 0 : Math.max(0, now - this.#sinceMillis)
    return { requests: this.requests, retried: this.retried, waitedMillis: this.#waitedMillis + waits }
  }
}

/** The key of the total over all games. */
const everyGame = ""

export const makeRequestTally = () => {
  const counts = new Map<string, Count>()
  const ensureCount = (game: string): Count => {
    const count = counts.get(game) ?? new Count()
    counts.set(game, count)
    return count
  }
  const each = (game: string | null, change: (count: Count) => void) =>
    new Set([everyGame, game ?? everyGame]).forEach((scope) => change(ensureCount(scope)))
  const wait = (game: string | null, more: 1 | -1) =>
    Effect.map(Clock.currentTimeMillis, (now) => each(game, (count) => count.wait(more, now)))
  return {
    sent: (game: string | null) => each(game, (count) => void (count.requests += 1)),
    retried: (game: string | null) => each(game, (count) => void (count.retried += 1)),
    whileWaiting: <A, E, R>(game: string | null, waiting: Effect.Effect<A, E, R>) =>
      Effect.acquireUseRelease(
        wait(game, 1),
        () => waiting,
        () => wait(game, -1)
      ),
    count: Effect.map(Clock.currentTimeMillis, (now) => {
      const before = new Map([...counts].map(([game, count]) => [game, count.at(now)]))
      return (game = everyGame) =>
        Effect.map(Clock.currentTimeMillis, (now): RequestCounts => {
          const then = before.get(game) ?? new Count().at(now)
          const { requests, retried, waitedMillis } = ensureCount(game).at(now)
          return {
            requests: requests - then.requests,
            retried: retried - then.retried,
            waitedMillis: waitedMillis - then.waitedMillis
          }
        })
    })
  }
}
