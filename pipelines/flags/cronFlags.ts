import * as Cron from "effect/Cron"
import * as DateTime from "effect/DateTime"
import * as Effect from "effect/Effect"
import * as Flag from "effect/cli/Flag"

import { SettingInvalid } from "../../src/feed/contract/SettingInvalid.ts"

const parseZone = (name: string) => DateTime.zoneMakeNamedUnsafe(name)

/** Parses a cron expression and time zone that the flags have checked. */
export const parseCron = (text: string, zone: string): Cron.Cron => Cron.parseUnsafe(text, parseZone(zone))

/** Checks a cron expression. It also fails for a date that never occurs. */
const checked = (text: string): string => {
  Cron.next(Cron.parseUnsafe(text), new Date(0))
  return text
}

const whatIsWrong = (error: unknown): string => {
  const fields = 'Expected five fields, minute hour day month weekday, such as "0 3 * * *"'
  if (!Cron.isCronParseError(error)) return `${fields}; this one never occurs`
  return error.input === undefined || /segments/.test(error.message)
    ? fields
    : `${fields}; at ${error.input}: ${error.message}`
}

/** Parses the settings of a schedule; null without one. A zone that does not exist is UTC. */
export const parseCronSetting = Effect.fnUntraced(function* (text: string | null, zone: string | null) {
  if (text === null) return null
  return yield* Effect.try({
    try: () => parseCron(checked(text), zone !== null && isZone(zone) ? zone : "UTC"),
    catch: () => new SettingInvalid({ name: "CARDLAKE_CRON", what: 'is not five fields such as "0 3 * * *"' })
  })
})

export const cron = Flag.String("cron").pipe(
  Flag.withMetavar("EXPRESSION"),
  Flag.withDescription(
    'When to run, as five fields: minute hour day month weekday; "0 3 * * *" is every night at three'
  ),
  Flag.mapTryCatch(checked, whatIsWrong)
)

/** True if the time zone exists. */
export const isZone = (name: string): boolean => {
  try {
    return parseZone(name.trim()) !== undefined
  } catch {
    return false
  }
}

export const zone = (description: string) =>
  Flag.String("tz").pipe(
    Flag.withMetavar("ZONE"),
    Flag.withDescription(description),
    Flag.filter(isZone, () => "Expected the name of a time zone, such as Europe/Zurich or UTC")
  )
export const tz = zone("Time zone of --cron, such as Europe/Zurich; default: UTC").pipe(Flag.withDefault("UTC"))
