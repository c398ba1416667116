/** A range that contains the store's time, in milliseconds. */
export interface StoreTime {
  readonly earliest: number
  readonly latest: number
}

/** The precision of an answer's `Date`. */
const cutMillis = 1000

/** The maximum age of an answer for the clock, because clocks drift, and a sleeping machine misses time. */
const keptMillis = 60_000

/**
 * Estimates the store's time independently of this machine's clock. An answer's `Date` is between request and answer,
 * which the monotonic clock has timed. If answers contradict each other, the range includes both.
 */
export const makeStoreClock = () => {
  let heard: Array<{ readonly gotMillis: number; readonly low: number; readonly high: number }> = []
  return {
    hear: (date: string | undefined, sentMillis: number, gotMillis: number) => {
      const millis = Date.parse(date ?? "")
      if (Number.isNaN(millis)) return
      heard = [
        ...heard.filter((one) => one.gotMillis > gotMillis - keptMillis),
        { gotMillis, low: millis - gotMillis, high: millis + cutMillis - sentMillis }
      ]
    },
    /** Null if there is no answer yet. */
    at: (millis: number): StoreTime | null => {
      if (heard.length === 0) return null
      const lows = heard.map(({ low }) => low)
      const highs = heard.map(({ high }) => high)
      const low = Math.max(...lows)
      const high = Math.min(...highs)
      return low <= high
        ? { earliest: millis + low, latest: millis + high }
        : { earliest: millis + Math.min(...lows), latest: millis + Math.max(...highs) }
    }
  }
}
