import type { Nights } from "../documents.ts"
import { dayOfNight, isLaterNight, type NightId } from "./nightId.ts"

/** Returns the last known night in parts: the one planned last, or a later one that is closed. */
export const lastNight = (nights: Nights | undefined): NightId | null => {
  const planned = nights?.planned?.night ?? null
  const closed = nights?.closed ?? null
  return planned === null || (closed !== null && isLaterNight(closed, planned)) ? closed : planned
}

/** Removes nights later than tomorrow, which exist if the store's clock was wrong once or the document is damaged. */
export const soundNights = (nights: Nights | undefined, today: string): Nights => {
  const tomorrow = new Date(Date.parse(today) + 24 * 3600 * 1000).toISOString().slice(0, 10)
  const isSound = (night: NightId | undefined) => night !== undefined && dayOfNight(night) <= tomorrow
  const { closed = null, planned = null } = nights ?? {}
  return { planned: isSound(planned?.night) ? planned : null, closed: isSound(closed ?? undefined) ? closed : null }
}

/** Nights before the last one are not listed. A night less than this before it counts as planned, for late runners. */
const lateMillis = 7 * 24 * 3600 * 1000

/** True if a game was read for a night that is later by a week or less. No runner still reads the older night then. */
export const isReadLater = (part: NightId, night: NightId): boolean =>
  isLaterNight(part, night) && isInTime(night, part)

const isInTime = (night: NightId, last: NightId): boolean =>
  Date.parse(dayOfNight(last)) - Date.parse(dayOfNight(night)) <= lateMillis

/** True if a night may have been planned, according to the last one. */
export const mayBePlanned = (night: NightId, last: NightId | null): boolean =>
  last !== null && !isLaterNight(night, last) && isInTime(night, last)
