import { Schema } from "effect"
import { GameId } from "../../../../feed/contract/Ids.ts"

/** A night that several runners read in parts: a UTC day and a number, such as `2026-11-23-1`. */
export const NightId = Schema.String.check(Schema.isPattern(/^\d{4}-\d{2}-\d{2}-[1-9]\d{0,5}$/)).pipe(
  Schema.brand("NightId")
)
export type NightId = typeof NightId.Type

export const Nights = Schema.Struct({
  /** The night planned last, and its games in the order of their numbers. */
  planned: Schema.NullOr(Schema.Struct({ night: NightId, games: Schema.Array(GameId) })),
  /** The newest published night whose games were all read. */
  closed: Schema.NullOr(NightId)
})
export type Nights = typeof Nights.Type

export const isNightId = Schema.is(NightId)

export const dayOfNight = (night: NightId): string => night.slice(0, 10)
const parseNumber = (night: NightId): number => Number(night.slice(11))

export const isLaterNight = (night: NightId, than: NightId): boolean =>
  dayOfNight(night) === dayOfNight(than) ? parseNumber(night) > parseNumber(than) : dayOfNight(night) > dayOfNight(than)

/** Returns the first night of a day, or the night after the last one if that is on this day or later. */
export const nextNight = (last: NightId | null, day: string): NightId =>
  last === null || dayOfNight(last) < day
    ? NightId.make(`${day}-1`)
    : NightId.make(`${dayOfNight(last)}-${parseNumber(last) + 1}`)

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
