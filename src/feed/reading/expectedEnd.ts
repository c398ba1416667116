import type { Marketplace } from "../client/Marketplace.ts"

/** The minimum elapsed time for a meaningful estimate. */
const paceMillis = 2000

/** The minimum remaining time that is reported. */
const soonMillis = 10_000

/**
 * Estimates when a list is complete, by the pace so far or by the known rate limits, whichever is later.
 * `startedMillis` is when its first page was requested. Null if there is no estimate or if the end is near.
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
  const paced = passed < paceMillis || progress.pagesDone === 0 ? 0 : (passed / progress.pagesDone) * pagesLeft
  const millis = Math.max(limited, paced)
  return millis < soonMillis ? null : new Date(nowMillis + millis).toISOString()
}
