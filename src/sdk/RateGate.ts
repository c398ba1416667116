import type { Signal } from "./ClientOptions.ts"
import { sleep } from "./sleep.ts"

const minuteMillis = 60_000

/** The account's own rate limit, which all calls of a client share. */
export interface RateGate {
  /** What the headers of an answer say is left. */
  readonly note: (limit: number, remaining: number) => void
  /** Nothing may be sent for so long. */
  readonly close: (millis: number) => void
  /** Waits for a turn; not at all if it would be longer than `maxMillis`, as the marketplace then says what it thinks. */
  readonly turn: (maxMillis: number, signal: Signal | undefined) => Promise<number>
}

/** Spreads requests once nothing is left, instead of sending what would be refused. */
export const makeRateGate = (): RateGate => {
  let opensAt = 0
  let intervalMillis = 0
  const close = (millis: number): void => {
    opensAt = Math.max(opensAt, performance.now() + millis)
  }
  return {
    note: (limit, remaining) => {
      if (!(limit >= 1)) return
      intervalMillis = minuteMillis / limit
      if (remaining === 0) close(intervalMillis)
    },
    close,
    turn: async (maxMillis, signal) => {
      const millis = opensAt - performance.now()
      if (millis <= 0 || millis > maxMillis) return 0
      opensAt += intervalMillis
      await sleep(millis, signal)
      return millis
    }
  }
}
