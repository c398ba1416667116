import { formatAmount } from "../../store/diff/formatAmount.ts"
import * as Duration from "effect/Duration"

const byteUnits = ["kB", "MB", "GB", "TB"]

/** Formats a size with its unit: `812 bytes`, `4.2 kB`, `10.6 MB`, `60.7 GB`. */
export const bytesText = (bytes: number): string => {
  if (Math.abs(bytes) < 1000) return formatAmount(bytes, "byte")
  // From 999.95 on, one decimal place would be 1000.0.
  const power = Math.min(byteUnits.length, Math.floor(Math.log10(Math.abs(bytes) / 0.99995) / 3))
  return `${(bytes / 1000 ** power).toFixed(1)} ${byteUnits[power - 1]}`
}

/** Formats an age in two units: `1d 4h`. */
export const ageText = (millis: number): string =>
  millis < 1000
    ? "0s"
    : Duration.format(Duration.seconds(Math.floor(millis / 1000)))
        .split(" ")
        .slice(0, 2)
        .join(" ")

/** Formats seconds: 50 s, 1.9 min, 42 min, 3.5 h, 3 days. */
export const durationText = (seconds: number): string => {
  if (seconds < 60) return `${Math.ceil(seconds)} s`
  const minutes = seconds / 60
  if (minutes < 10) return `${minutes.toFixed(1)} min`
  if (minutes < 120) return `${Math.round(minutes)} min`
  const hours = minutes / 60
  return hours < 48 ? `${hours.toFixed(1)} h` : `${Math.round(hours / 24)} days`
}

/** Formats a time as the wall clock of a zone: `2026-11-28 03:00`. */
export const wallClockText = (millis: number, zone: string): string =>
  new Date(millis).toLocaleString("sv-SE", { timeZone: zone, dateStyle: "short", timeStyle: "short" })
