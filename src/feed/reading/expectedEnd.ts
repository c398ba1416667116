import type { Marketplace } from "../client/Marketplace.ts"

/** Before that, the pace means nothing. */
const paceMillis = 2000

/** A nearer end is not announced. */
const soonMillis = 10_000

/**
 * When a list will have been read, by the pace so far or by the known rate limits, whichever is later.
 * `startedMillis` is when its first page was requested. Null while nothing is known, and when the end is near.
 */
export const expectedEnd = (
  { millisFor }: Pick<Marketplace["Service"], "millisFor">,
  startedMillis: number,
  nowMillis: number,
  progress: {
    readonly operation: string
    readonly game: string
    readonly pagesDone: number
    readonly pagesTotal: number
  }
): string | null => {
  const pagesLeft = progress.pagesTotal - progress.pagesDone
  const passed = nowMillis - startedMillis
  if (pagesLeft <= 0) return null
  const limited = millisFor(progress, pagesLeft, nowMillis)
  const paced = passed < paceMillis ? 0 : (passed / progress.pagesDone) * pagesLeft
  const millis = Math.max(limited, paced)
  return millis < soonMillis ? null : new Date(nowMillis + millis).toISOString()
}
