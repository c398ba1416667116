import * as Cron from "effect/Cron"
import * as DateTime from "effect/DateTime"
import * as Effect from "effect/Effect"
import { SettingInvalid } from "../../src/feed/contract/SettingInvalid.ts"
import type { NightTimes } from "../../src/night/observe/readStatus.ts"
import { readSetting } from "./settingsProvider.ts"

const parseZone = (name: string) => DateTime.zoneMakeNamedUnsafe(name)

/** Parses a cron expression and time zone that the flags have checked. */
export const parseCron = (text: string, zone: string): Cron.Cron => Cron.parseUnsafe(text, parseZone(zone.trim()))

const fields = ["minute", "hour", "day", "month", "weekday"]

/** Returns why a cron expression is invalid, or null; a date that never occurs is invalid, too. */
const cronFault = (text: string): unknown => {
  try {
    Cron.next(Cron.parseUnsafe(text), new Date(0))
    return null
  } catch (error) {
    return error
  }
}

/** Explains why a text is no cron expression, with what would be right; null if it is one. */
export const explainCron = (text: string): string | null => {
  if (cronFault(text) === null) return null
  const words = text.split(/\s+/).filter((word) => word !== "")
  if (words.length !== fields.length)
    return `Expected five fields, ${fields.join(" ")}, such as "0 3 * * *", got ${words.length}`
  for (const [at, field] of fields.entries()) {
    const fault = cronFault(fields.map((_, other) => (other === at ? words[at] : "*")).join(" "))
    if (!Cron.isCronParseError(fault)) continue
    const { message } = fault
    const expected = message.startsWith("Expected") ? message : "Expected a range that ascends"
    return `${expected} in field ${field}, got ${JSON.stringify(words[at])}`
  }
  return 'Expected a day that occurs, such as "0 3 * * *" for every night; this one never does'
}

export const isZone = (name: string): boolean => {
  try {
    return parseZone(name.trim()) !== undefined
  } catch {
    return false
  }
}

/** Reads the schedule of the settings: null without one that can be used. `faults` name the settings that cannot. */
export const readSchedule = Effect.fnUntraced(function* (flags: Record<string, string>) {
  const text = yield* readSetting(flags, "CARDLAKE_CRON")
  const zone = (yield* readSetting(flags, "CARDLAKE_TZ")) ?? "UTC"
  const wrong = text === null ? null : explainCron(text)
  const faults = [
    ...(text === null || wrong === null
      ? []
      : [new SettingInvalid({ name: "CARDLAKE_CRON", what: `is ${JSON.stringify(text)}. ${wrong}` })]),
    ...(isZone(zone)
      ? []
      : [
          new SettingInvalid({
            name: "CARDLAKE_TZ",
            what: `is ${JSON.stringify(zone)}, not the name of a time zone, such as Europe/Zurich or UTC`
          })
        ])
  ]
  const schedule: NightTimes | null = text === null || faults.length > 0 ? null : { cron: parseCron(text, zone), zone }
  return { schedule, faults }
})
