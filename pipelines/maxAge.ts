import * as Duration from "effect/Duration"
import * as Option from "effect/Option"
import * as Flag from "effect/cli/Flag"

const units: Readonly<Record<string, string>> = { m: "minutes", h: "hours", d: "days", w: "weeks" }

/** `36h`, `2 days`, `90 minutes`: Effect's durations, and their units as one letter. */
const durationOf = (text: string): Option.Option<Duration.Duration> => {
  const [, number, letter] = /^([\d.]+)\s*([mhdw])$/.exec(text.trim()) ?? []
  const spelled = letter === undefined ? text.trim() : `${number} ${units[letter]}`
  // Whatever is no duration comes back as none.
  return Option.filter(
    Duration.fromInput(spelled as Duration.Input),
    (duration) => Duration.isFinite(duration) && Duration.isPositive(duration)
  )
}

/** How old a lake may be: a night and half a day in which somebody can look. */
export const maxAge = Flag.String("max-age").pipe(
  Flag.withMetavar("DURATION"),
  Flag.withDescription("How old the lake may be, as 36h, 2d or 90 minutes; default: 36 hours"),
  Flag.filterMap(durationOf, (text) => `Expected a time such as 36h, 2d or "90 minutes", got ${text}`),
  Flag.withDefault(Duration.hours(36))
)
