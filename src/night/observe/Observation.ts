import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import type { LogLevel } from "effect"

export interface Observation {
  /** True if a night's events have a receiver; otherwise (`demo`, most tests) they are not created. */
  readonly hasEvents: boolean
  /** Removes the API key from a text, before it is logged, printed, sent or stored. */
  readonly scrub: (text: string) => string
}
export const Observation = Context.Reference<Observation>("cardlake/observe/Observation", {
  defaultValue: () => ({ hasEvents: false, scrub: (text) => text })
})

export const scrubbing = Effect.map(Observation, ({ scrub }) => scrub)

/** Logs an event of the night: its name and its fields. It never contains the key. */
export const nightEvent = (
  event: string,
  figures: Readonly<Record<string, unknown>>,
  level: LogLevel.Severity = "Info"
): Effect.Effect<void> =>
  Effect.flatMap(Observation, ({ hasEvents }) =>
    hasEvents ? Effect.annotateLogs(Effect.logWithLevel(level)(event), figures) : Effect.void
  )

/** Warns about a problem beside the night: an event for machines, a sentence for people. */
export const nightWarning = (
  event: string,
  sentence: string,
  figures: Readonly<Record<string, unknown>> = {}
): Effect.Effect<void> => Effect.annotateLogs(Effect.logWarning(event), { sentence, ...figures })
