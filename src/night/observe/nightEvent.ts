import { Effect, type LogLevel } from "effect"
import { Observation } from "./Observation.ts"

/** An event of the night as a log line: what happened, in a word, and its figures. Never contains the key. */
export const nightEvent = (
  event: string,
  figures: Readonly<Record<string, unknown>>,
  level: LogLevel.Severity = "Info"
): Effect.Effect<void> =>
  Effect.flatMap(Observation, ({ hasEvents }) =>
    hasEvents ? Effect.annotateLogs(Effect.logWithLevel(level)(event), figures) : Effect.void
  )

/** Something beside the night went wrong: an event, and a sentence where people read. */
export const nightWarning = (
  event: string,
  sentence: string,
  figures: Readonly<Record<string, unknown>> = {}
): Effect.Effect<void> => Effect.annotateLogs(Effect.logWarning(event), { sentence, ...figures })
