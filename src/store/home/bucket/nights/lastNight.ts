import type { Nights } from "../documents.ts"
import { dayOfNight, isLaterNight, type NightId } from "./nightId.ts"

/** The last night in parts that is known: the one that was planned last, or a later one that is closed. */
export const lastNight = (nights: Nights | undefined): NightId | null => {
  const planned = nights?.planned?.night ?? null
  const closed = nights?.closed ?? null
  return planned === null || (closed !== null && isLaterNight(closed, planned)) ? closed : planned
}

/** Without nights of later days than tomorrow: the store's clock was ahead once, or the document is damaged. */
export const soundNights = (nights: Nights | undefined, today: string): Nights => {
  const tomorrow = new Date(Date.parse(today) + 24 * 3600 * 1000).toISOString().slice(0, 10)
  const isSound = (night: NightId | undefined) => night !== undefined && dayOfNight(night) <= tomorrow
  const { closed = null, planned = null } = nights ?? {}
  return { planned: isSound(planned?.night) ? planned : null, closed: isSound(closed ?? undefined) ? closed : null }
}

/** Nights before the last one are not listed. One of so many days before it counts as planned: somebody comes late. */
const lateMillis = 7 * 24 * 3600 * 1000

/** Whether a game was read for a later night than this one; more than a week later, no night is that anybody still reads. */
export const isReadLater = (part: NightId, night: NightId): boolean =>
  isLaterNight(part, night) && isInTime(night, part)

const isInTime = (night: NightId, last: NightId): boolean =>
  Date.parse(dayOfNight(last)) - Date.parse(dayOfNight(night)) <= lateMillis

/** Whether a night may have been planned, as far as the last one says. */
export const mayBePlanned = (night: NightId, last: NightId | null): boolean =>
  last !== null && !isLaterNight(night, last) && isInTime(night, last)
