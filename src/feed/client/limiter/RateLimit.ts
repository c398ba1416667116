/** The operation of a request, such as `products`, and its game; null if it has none. */
export interface Asker {
  readonly operation: string
  readonly game: string | null
}

/** The limits that the service has stated; null before the first. Beyond the spec: section 3. */
export interface RateLimit {
  readonly bucket: string
  readonly limit: number | null
  readonly remaining: number | null
}

/** Upper bounds of plausible figures: requests in a window, and a wait of a year. */
const largestLimit = 1_000_000_000
const maxWaitMillis = 366 * 24 * 3600 * 1000

const parseStated = (stated: unknown): number =>
  typeof stated === "string" && stated.trim() !== "" ? Number(stated) : typeof stated === "number" ? stated : Number.NaN

/** Parses the limit of a rate bucket; null if it is not an integer of at least one. */
export const statedLimit = (stated: unknown): number | null => {
  const limit = parseStated(stated)
  return Number.isInteger(limit) && limit >= 1 && limit <= largestLimit ? limit : null
}

/** Parses the remaining requests; null if the figure is impossible. */
export const statedRemaining = (stated: unknown, limit: number): number | null => {
  const remaining = parseStated(stated)
  return Number.isInteger(remaining) && remaining >= 0 && remaining <= limit ? remaining : null
}

/** Parses a required wait in units of this many milliseconds; null if it is implausible. */
export const statedWaitMillis = (stated: unknown, unitMillis: number): number | null => {
  const millis = parseStated(stated) * unitMillis
  return millis >= 0 && millis <= maxWaitMillis ? millis : null
}

/**
 * Returns the wait that an answer requires, in milliseconds from now: `retry-after-ms`, else `Retry-After` in seconds
 * or as a date. Null if it states none. Beyond the spec: section 2, retry rule.
 */
export const requiredWaitMillis = (
  headers: Readonly<Record<string, string | undefined>>,
  nowMillis: number
): number | null => {
  const after = headers["retry-after"]
  const wait = statedWaitMillis(headers["retry-after-ms"], 1) ?? statedWaitMillis(after, 1000)
  // An implausible number is not a date either.
  if (wait !== null || after === undefined || !Number.isNaN(Number(after))) return wait
  return statedWaitMillis(Math.max(0, Date.parse(after) - nowMillis), 1)
}
