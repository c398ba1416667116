/** The instants of the last window, in milliseconds. */
export interface RecentTimes {
  readonly add: (at: number) => void
  /** How many are left of the window that ends at `at`; the others are forgotten. */
  readonly count: (at: number) => number
  /** The oldest that is left. */
  readonly oldest: () => number | undefined
}

/** An instant belongs to the window until `windowMillis` have passed. */
export const makeRecentTimes = (windowMillis: number): RecentTimes => {
  let times: Array<number> = []
  /** Those before it are forgotten. */
  let first = 0
  return {
    add: (at) => void times.push(at),
    count: (at) => {
      while (first < times.length && (times[first] ?? at) <= at - windowMillis) first += 1
      if (first > 1000 && first * 2 > times.length) {
        times = times.slice(first)
        first = 0
      }
      return times.length - first
    },
    oldest: () => times[first]
  }
}
