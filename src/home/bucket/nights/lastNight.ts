import type { Nights } from "../documents.ts"
import { dayOfNight, isLaterNight, type NightId } from "./nightId.ts"

/** The last night in parts that is known: the one that was planned last, or a later one that is closed. */
export const lastNight = (nights: Nights | undefined): NightId | null => {
  const planned = nights?.planned?.night ?? null
  const closed = nights?.closed ?? null
  return planned === null || (closed !== null && isLaterNight(closed, planned)) ? closed : planned
}

/** Nights before the last one are not listed. One of so many days before it counts as planned: somebody comes late. */
const lateMillis = 7 * 24 * 3600 * 1000

/** Whether a night may have been planned, as far as the last one says. */
export const mayBePlanned = (night: NightId, last: NightId | null): boolean =>
  last !== null &&
  !isLaterNight(night, last) &&
  Date.parse(dayOfNight(last)) - Date.parse(dayOfNight(night)) <= lateMillis
