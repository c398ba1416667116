import * as Duration from "effect/Duration"
import * as Option from "effect/Option"

const units: Readonly<Record<string, string>> = { s: "seconds", m: "minutes", h: "hours", d: "days", w: "weeks" }

/** Parses `36h`, `2 days`, `90 minutes`: Effect's durations, and one-letter units. */
export const parseDuration = (text: string): Option.Option<Duration.Duration> => {
  const [, number, letter] = /^([\d.]+)\s*([smhdw])$/.exec(text.trim()) ?? []
  const spelled = letter === undefined ? text.trim() : `${number} ${units[letter]}`
  // Invalid text returns none.
  return Option.filter(
    Duration.fromInput(spelled as Duration.Input),
    (duration) => Duration.isFinite(duration) && Duration.isPositive(duration)
  )
}
