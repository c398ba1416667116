/** A store's time, in milliseconds: it is between the two. */
export interface StoreTime {
  readonly earliest: number
  readonly latest: number
}

/** An answer's `Date` is cut to whole seconds. */
const cutMillis = 1000

/** What an older answer said counts no more: clocks drift, and a machine that slept missed some time. */
const keptMillis = 60_000

/**
 * What time it is at the store, whatever this machine's clock says: an answer's `Date` lies between request and answer,
 * which this machine's monotonic clock has timed. Where answers contradict each other, both may be right.
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
    /** Null: no answer has said. */
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
