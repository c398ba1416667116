import { Schema } from "effect"

/** A night that several runners read in parts: a UTC day and a number, such as `2026-11-23-1`. */
export const NightId = Schema.String.check(Schema.isPattern(/^\d{4}-\d{2}-\d{2}-[1-9]\d{0,5}$/)).pipe(
  Schema.brand("NightId")
)
export type NightId = typeof NightId.Type

export const isNightId = Schema.is(NightId)

export const dayOfNight = (night: NightId): string => night.slice(0, 10)
const numberOf = (night: NightId): number => Number(night.slice(11))

export const isLaterNight = (night: NightId, than: NightId): boolean =>
  dayOfNight(night) === dayOfNight(than) ? numberOf(night) > numberOf(than) : dayOfNight(night) > dayOfNight(than)

/** Returns the first night of a day, or the night after the last one if that is on this day or later. */
export const nextNight = (last: NightId | null, day: string): NightId =>
  last === null || dayOfNight(last) < day
    ? NightId.make(`${day}-1`)
    : NightId.make(`${dayOfNight(last)}-${numberOf(last) + 1}`)
