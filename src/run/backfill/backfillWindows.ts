import { maxHistoryDays } from "../../contract/PriceHistory.ts"
import type { BackfillSpan } from "../../home/backfill/backfillLedger.ts"

const dayMillis = 86_400_000

/** The day so many days before another one. */
const before = (day: string, days: number): string =>
  new Date(Date.parse(day) - days * dayMillis).toISOString().slice(0, 10)

type Days = Pick<BackfillSpan, "from" | "to">

/** The days up to `to`, both ends included, in calls of a year; the newest first. */
const years = (from: string, to: string): ReadonlyArray<Days> => {
  if (from > to) return []
  const first = before(to, maxHistoryDays - 1)
  return first <= from ? [{ from, to }] : [{ from: first, to }, ...years(from, before(first, 1))]
}

/**
 * What is still to be queued of a product whose days so far are `known`: at first the year up to `today`, or all from
 * `since` on; later only what is before its first day.
 */
export const missingWindows = (
  known: ReadonlyArray<Days>,
  today: string,
  since: string | null
): ReadonlyArray<Days> => {
  if (known.length === 0) return years(since ?? before(today, maxHistoryDays - 1), today)
  const first = known.map(({ from }) => from).reduce((least, from) => (from < least ? from : least))
  return since === null ? [] : years(since, before(first, 1))
}
