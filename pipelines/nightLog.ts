import { Logger } from "effect"
import { shownText } from "../src/contract/shownText.ts"

export type LogForm = "text" | "json"

/**
 * One JSON object a line: `time`, `level`, `event`, then what the event carries (`run`, `game`, `stage`, `pages`,
 * `records`, `seconds`, …).
 */
export const jsonLine = Logger.map(Logger.formatStructured, ({ annotations, cause, level, message, timestamp }) =>
  JSON.stringify({
    time: timestamp,
    level: level.toLowerCase(),
    event: message,
    ...annotations,
    ...(cause === undefined ? {} : { cause })
  })
)

/**
 * For people the stages are shown by showNight and the verdict by its command; here only warnings, each a sentence. An
 * event that is a word, as `verdict`, is for machines.
 */
const textLine = Logger.map(Logger.formatStructured, ({ annotations, level, message }) => {
  const sentence = String(annotations["sentence"] ?? message)
  const isTold = (level === "WARN" || level === "ERROR" || level === "FATAL") && sentence.includes(" ")
  return isTold ? `cardlake: ${shownText(sentence)}` : null
})

/** The loggers of a night. `write` gets whole lines. */
export const nightLog = (form: LogForm, write: (line: string) => void) =>
  Logger.layer([
    Logger.map<unknown, string | null, void>(form === "json" ? jsonLine : textLine, (line) => {
      if (line !== null) write(`${line}\n`)
    }),
    Logger.tracerLogger
  ])
