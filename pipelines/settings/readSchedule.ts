import * as Cron from "effect/Cron"
import * as DateTime from "effect/DateTime"
import * as Effect from "effect/Effect"
import { SettingInvalid } from "../../src/feed/contract/SettingInvalid.ts"
import { readSetting } from "./settingsProvider.ts"

const parseZone = (name: string) => DateTime.zoneMakeNamedUnsafe(name)

/** Parses a cron expression and time zone that the flags have checked. */
export const parseCron = (text: string, zone: string): Cron.Cron => Cron.parseUnsafe(text, parseZone(zone.trim()))

/** Checks a cron expression. It also fails for a date that never occurs. */
export const checkCron = (text: string): string => {
  Cron.next(Cron.parseUnsafe(text), new Date(0))
  return text
}

/** Explains an error of {@link checkCron}, with what would be right. */
export const explainCron = (error: unknown): string => {
  const fields = 'Expected five fields, minute hour day month weekday, such as "0 3 * * *"'
  if (!Cron.isCronParseError(error)) return `${fields}; this one never occurs`
  return error.input === undefined || /segments/.test(error.message)
    ? fields
    : `${fields}; at ${error.input}: ${error.message}`
}

/** True if the time zone exists. */
export const isZone = (name: string): boolean => {
  try {
    return parseZone(name.trim()) !== undefined
  } catch {
    return false
  }
}

/** The times of a schedule, and the zone in which people read them. */
export interface Schedule {
  readonly cron: Cron.Cron
  readonly zone: string
}

/** Explains why a text is no cron expression, with what would be right; null if it is one. */
const explainText = (text: string): string | null => {
  try {
    checkCron(text)
    return null
  } catch (error) {
    return explainCron(error)
  }
}

/** Reads the schedule of the settings: null without one that can be used. `faults` name the settings that cannot. */
export const readSchedule = Effect.fnUntraced(function* (flags: Record<string, string>) {
  const text = yield* readSetting(flags, "CARDLAKE_CRON")
  const zone = (yield* readSetting(flags, "CARDLAKE_TZ")) ?? "UTC"
  const whatIsWrong = {
    CARDLAKE_CRON: text === null ? null : explainText(text),
    CARDLAKE_TZ: isZone(zone) ? null : "Expected the name of a time zone, such as Europe/Zurich or UTC"
  }
  const faults = Object.entries(whatIsWrong).flatMap(([name, wrong]) =>
    wrong === null ? [] : [new SettingInvalid({ name, what: `cannot be used. ${wrong}` })]
  )
  const schedule: Schedule | null = text === null || faults.length > 0 ? null : { cron: parseCron(text, zone), zone }
  return { schedule, faults }
})
