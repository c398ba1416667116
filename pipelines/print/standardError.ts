import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import type { LogForm } from "../../src/night/observe/nightLog.ts"
import type { LogTo } from "../../src/night/observe/observe.ts"
import { screenWidth, cutText, measureText } from "../../src/night/observe/shortTexts.ts"
import { wrapLines, hintedJson } from "./printAnswer.ts"
import { Printing } from "./hints.ts"
import type { MultiBar } from "cli-progress"
import { shownText } from "../../src/feed/contract/shownText.ts"
import { WorkProgress } from "../../src/store/home/WorkProgress.ts"

/** Options of bars: one line each, trimmed to the terminal. Text above them is wrapped. */
export const barsBelow = { hideCursor: true, linewrap: true, forceRedraw: true }

let shown: MultiBar | null = null

/** Keeps these bars below the output of {@link writeBesideBars} until they stop. */
export const keepBelow = (bars: MultiBar): MultiBar => {
  shown = bars
  bars.once("stop", () => {
    shown = null
  })
  return bars
}

/** Writes whole lines to standard error. Visible bars move down instead of overwriting them. */
export const writeBesideBars = (lines: string): void => {
  if (shown?.isActive !== true) {
    process.stderr.write(lines)
    return
  }
  // A long line covers several rows, where old bars remain until they are drawn again.
  shown.log(`\u001B[J${lines}`)
  shown.update()
}

/** Returns the prefix of a line in a log: the time in UTC. */
export const stamp = (): string => `${new Date().toISOString().slice(0, 19)}Z`

/** The log of a command that runs for long. Its text has times, unless a person watches it on a terminal. */
export const longLog = (form: LogForm, isAlways = false) =>
  Effect.map(standardError(form), (write): LogTo => {
    const hasTimes = form === "text" && (isAlways || !process.stderr.isTTY)
    return { form, write: hasTimes ? (line) => write(`${stamp()} ${line}`) : write }
  })

/** Writes log lines to standard error, with commands that can be copied. */
const standardError = (form: LogForm) =>
  Effect.map(Printing, ({ hint, hintInJson }) => (line: string) => {
    writeBesideBars(
      form === "json"
        ? `${hintedJson(JSON.parse(line), hintInJson)}\n`
        : wrapLines(hint(line), screenWidth(process.stderr), "")
    )
  })

/** The logger of commands other than nights: each warning is a sentence. */
export const warnings = Layer.unwrap(
  Effect.gen(function* () {
    const { nightLog } = yield* Effect.promise(() => import("../../src/night/observe/nightLog.ts"))
    return nightLog("text", yield* standardError("text"))
  })
)

/** Max width of a progress line, so that it fits every terminal. */
const widest = 80

/** Returns the width of a progress line. Some terminals wrap after the last column, so it is excluded. */
export const barRoom = (stream: NodeJS.WriteStream): number => Math.min(screenWidth(stream) ?? widest, widest) - 1

export const drawBar = (share: number, columns: number): string => {
  const done = Math.floor(Math.min(1, Math.max(0, share)) * columns)
  return "█".repeat(done) + "░".repeat(columns - done)
}

/** Joins as many texts as fit on a line. The last one is shortened. */
export const barLine = (texts: ReadonlyArray<string>, room: number): string => {
  const line = texts.filter((text) => text !== "").join(" ")
  return measureText(line) <= room ? line : cutText(line, room)
}

export const neverDecreasing = () => {
  let most = 0
  return (share: number): number => {
    most = Math.max(most, Math.min(1, share))
    return most
  }
}

const timeText = (startedMillis: number): string => {
  const seconds = Math.floor((performance.now() - startedMillis) / 1000)
  return seconds < 60 ? `${seconds}s` : `${Math.floor(seconds / 60)}m${seconds % 60}s`
}

/** Runs work that may take long. If standard error is a terminal, it shows label, game, share and time until the end. */
export const showWork =
  ({ json, what }: { readonly what: string; readonly json: boolean }) =>
  <A, E, R>(work: Effect.Effect<A, E, R>): Effect.Effect<A, E, R> =>
    json || !process.stderr.isTTY
      ? work
      : Effect.acquireUseRelease(
          Effect.promise(async () => {
            const { default: cliProgress } = await import("cli-progress")
            const started = performance.now()
            const grown = neverDecreasing()
            let at = ""
            const tell = ({ gameId, share }: { readonly gameId: string | null; readonly share: number }) => {
              const most = grown(share)
              at = `${gameId === null ? "" : `${shownText(gameId, 24)} `}${drawBar(most, 24)} ${Math.floor(100 * most)} %`
            }
            const format = () => barLine([what, at, timeText(started)], barRoom(process.stderr))
            const bars = keepBelow(
              new cliProgress.MultiBar({ ...barsBelow, stream: process.stderr, format, clearOnComplete: true })
            )
            bars.create(1, 0)
            bars.update()
            return { bars, tell }
          }),
          ({ tell }) => Effect.updateService(work, WorkProgress, ({ warned }) => ({ tell, warned })),
          ({ bars }) => Effect.sync(() => bars.stop())
        )
