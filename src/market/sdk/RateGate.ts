import type { Signal } from "./ClientOptions.ts"
import { sleep } from "./sleep.ts"

const minuteMillis = 60_000

/** Clocks are not that exact: a little later than the marketplace would answer. */
const marginMillis = 20

/** The account's own rate limit, which all calls of a client share. */
export interface RateGate {
  /** What the headers of an answer say: how many requests a minute, and how many at once now. */
  readonly note: (limit: number, remaining: number) => void
  /** Nothing may be sent for so long. */
  readonly close: (millis: number) => void
  /** Waits for a turn, but not longer than `maxMillis`: the marketplace then says what it thinks. Gives the wait. */
  readonly turn: (maxMillis: number, signal: Signal | undefined) => Promise<number>
  /** The request that had a turn has its answer, or will get none. */
  readonly done: () => void
}

/** Spreads requests once nothing is left, instead of sending what would be refused. */
export const makeRateGate = (): RateGate => {
  let [intervalMillis, left, underWay, opensAt] = [0, Infinity, 0, 0]
  let countedAt = performance.now()
  /** What is left now, as it fills again evenly. */
  const refill = (): void => {
    const now = performance.now()
    if (intervalMillis > 0) left = Math.min(left + (now - countedAt) / intervalMillis, minuteMillis / intervalMillis)
    countedAt = now
  }
  const waitMillis = (): number => {
    const forLeft = left < 0 ? -left * intervalMillis + marginMillis : 0
    return Math.max(forLeft, opensAt - performance.now(), 0)
  }
  return {
    note: (limit, remaining) => {
      if (!(limit >= 1 && remaining >= 0)) return
      intervalMillis = minuteMillis / limit
      // The answer does not count the others that are on their way or wait for their turn.
      left = remaining - (underWay - 1)
      countedAt = performance.now()
    },
    close: (millis) => {
      opensAt = Math.max(opensAt, performance.now() + millis)
    },
    turn: async (maxMillis, signal) => {
      refill()
      left -= 1
      underWay += 1
      const millis = waitMillis()
      if (millis === 0 || millis > maxMillis) return 0
      await sleep(millis, signal)
      return millis
    },
    done: () => {
      underWay -= 1
    }
  }
}
