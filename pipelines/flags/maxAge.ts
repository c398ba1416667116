import * as Duration from "effect/Duration"
import * as Flag from "effect/cli/Flag"
import { durationOf } from "../../src/night/run/durationOf.ts"

/** How old a lake may be: one night, and half a day for somebody to react. */
export const maxAge = Flag.String("max-age").pipe(
  Flag.withMetavar("DURATION"),
  Flag.withDescription("How old the lake may be, such as 36h, 2d or 90 minutes; default: 36 hours"),
  Flag.filterMap(durationOf, () => 'Expected a duration such as 36h, 2d or "90 minutes"'),
  Flag.withDefault(Duration.hours(36))
)
