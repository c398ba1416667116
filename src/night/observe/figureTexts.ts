import * as Duration from "effect/Duration"

/** Formats megabytes, with enough decimal places to show a non-zero digit. */
export const megabytes = (bytes: number): string => {
  const figure = Math.abs(bytes) / 1e6
  const places = figure >= 10 ? 1 : figure >= 0.01 || figure === 0 ? 2 : 4
  return (bytes / 1e6).toFixed(places)
}

/** Formats bytes in MB, or from a gigabyte on in GB. */
export const bytesText = (bytes: number): string =>
  bytes < 1e9 ? `${megabytes(bytes)} MB` : `${(bytes / 1e9).toFixed(1)} GB`

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
