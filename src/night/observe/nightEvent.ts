import { Effect, type LogLevel } from "effect"
import { Observation } from "./Observation.ts"

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
