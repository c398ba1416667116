import { scrubbing } from "./Observation.ts"
import { Effect, Layer, Logger } from "effect"
import { scrubbed } from "../../feed/client/scrub.ts"
import { shownText } from "../../feed/contract/shownText.ts"

export type LogForm = "text" | "json"

interface LogEvent {
  readonly annotations: Readonly<Record<string, unknown>>
  readonly cause: string | undefined
  readonly level: string
  readonly message: unknown
  readonly timestamp: string
}

/** One JSON object per line: `time`, `level`, `event`, then the event's fields (`run`, `game`, …). */
const jsonLine = ({ annotations, cause, level, message, timestamp }: LogEvent): string =>
  JSON.stringify({
    time: timestamp,
    level: level.toLowerCase(),
    event: message,
    ...annotations,
    ...(cause === undefined ? {} : { cause })
  })

/**
 * Formats warnings for people, each a sentence. showNight shows the stages and the command the verdict. Events that are
 * a single word, e.g. `verdict`, are for machines.
 */
const textLine = ({ annotations, level, message }: LogEvent): string | null => {
  const sentence = String(annotations["sentence"] ?? message)
  const isForPeople = (level === "WARN" || level === "ERROR" || level === "FATAL") && sentence.includes(" ")
  return isForPeople ? `cardlake: ${shownText(sentence)}` : null
}

/** The loggers of a night. `write` gets complete lines. */
export const nightLog = (form: LogForm, write: (line: string) => void) =>
  Layer.unwrap(
    Effect.map(scrubbing, (scrub) => {
      const formatLine = form === "json" ? jsonLine : textLine
      const line = Logger.map(Logger.formatStructured, (event) => formatLine(scrubbed(scrub, event)))
      return Logger.layer([
        Logger.map<unknown, string | null, void>(line, (line) => {
          if (line !== null) write(`${line}\n`)
        }),
        Logger.tracerLogger
      ])
    })
  )
