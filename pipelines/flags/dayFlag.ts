import * as Flag from "effect/cli/Flag"

/** A day of the calendar: Date takes 2026-02-30 for the second of March. */
const isDay = (text: string): boolean => {
  const date = /^\d{4}-\d{2}-\d{2}$/.test(text) ? new Date(text) : new Date(Number.NaN)
  return !Number.isNaN(date.getTime()) && date.toISOString().startsWith(text)
}

/** A flag with a day, or one of some words. */
export const dayFlag = (name: string, description: string, words: ReadonlyArray<string> = []) =>
  Flag.String(name).pipe(
    Flag.withMetavar("DAY"),
    Flag.withDescription(description),
    Flag.filter(
      (text) => isDay(text) || words.includes(text),
      () => "Expected a day such as 2026-05-01"
    ),
    Flag.optional
  )
