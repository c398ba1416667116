/** No service counts more requests in a window, and none asks to wait for longer than a year. */
const largestLimit = 1_000_000_000
const maxWaitMillis = 366 * 24 * 3600 * 1000

const numberOf = (stated: unknown): number =>
  typeof stated === "string" && stated.trim() !== "" ? Number(stated) : typeof stated === "number" ? stated : Number.NaN

/** The limit of a rate bucket as a header or a body states it; null if it is not a whole number of at least one. */
export const statedLimit = (stated: unknown): number | null => {
  const limit = numberOf(stated)
  return Number.isInteger(limit) && limit >= 1 && limit <= largestLimit ? limit : null
}

/** What is left of a limit; null if the figure is impossible. */
export const statedRemaining = (stated: unknown, limit: number): number | null => {
  const remaining = numberOf(stated)
  return Number.isInteger(remaining) && remaining >= 0 && remaining <= limit ? remaining : null
}

/** How long an answer asks to wait, from a figure in units of this many milliseconds; null if it is absurd. */
export const statedWaitMillis = (stated: unknown, unitMillis: number): number | null => {
  const millis = numberOf(stated) * unitMillis
  return millis >= 0 && millis <= maxWaitMillis ? millis : null
}
