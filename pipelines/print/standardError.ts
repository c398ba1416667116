import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import type { LogForm } from "../../src/night/observe/nightLog.ts"
import { screenWidth, cutText, widthOf } from "../../src/night/observe/shortTexts.ts"
import { wrapLines, hintedJson } from "./printAnswer.ts"
import { Printing } from "./hints.ts"
import type { MultiBar } from "cli-progress"
import { shownText } from "../../src/feed/contract/shownText.ts"
import { WorkProgress } from "../../src/store/home/WorkProgress.ts"

/** Each bar on one line, trimmed to the terminal; what is written above them is wrapped. */
export const barsBelow = { hideCursor: true, linewrap: true, forceRedraw: true }

let shown: MultiBar | null = null

/** Until they stop, these bars stay below what {@link writeBesideBars} writes. */
export const keepBelow = (bars: MultiBar): MultiBar => {
  shown = bars
  bars.once("stop", () => {
    shown = null
  })
  return bars
}

/** Writes whole lines to standard error. A bar that is shown there would overwrite them, so it moves down. */
export const writeBesideBars = (lines: string): void => {
  if (shown?.isActive !== true) {
    process.stderr.write(lines)
    return
  }
  // A long line takes several rows, which hold bars until they are drawn again.
  shown.log(`\u001B[J${lines}`)
  shown.update()
}

/** Writes log lines to standard error, with hints that can be copied. */
export const standardError = (form: LogForm) =>
  Effect.map(Printing, ({ hint, hintInJson }) => (line: string) => {
    writeBesideBars(
      form === "json"
        ? `${hintedJson(JSON.parse(line), hintInJson)}\n`
        : wrapLines(hint(line), screenWidth(process.stderr))
    )
  })

/** The log of a command other than a night: each warning is a sentence. */
export const warnings = Layer.unwrap(
  Effect.gen(function* () {
    const { nightLog } = yield* Effect.promise(() => import("../../src/night/observe/nightLog.ts"))
    return nightLog("text", yield* standardError("text"))
  })
)

/** No line of progress is longer, so that it is one line on every terminal. */
const widest = 80

/** Columns that a line of progress may have; in the last one some terminals begin a new line. */
export const barRoom = (stream: NodeJS.WriteStream): number => Math.min(screenWidth(stream) ?? widest, widest) - 1

/** A bar of so many columns. */
export const barOf = (share: number, columns: number): string => {
  const done = Math.floor(Math.min(1, Math.max(0, share)) * columns)
  return "█".repeat(done) + "░".repeat(columns - done)
}

/** Texts on one line, as many as fit from the left; the last one that does not fit is shortened. */
export const barLine = (texts: ReadonlyArray<string>, room: number): string => {
  const line = texts.filter((text) => text !== "").join(" ")
  return widthOf(line) <= room ? line : cutText(line, room)
}

/** A share that never goes back. */
export const growing = () => {
  let most = 0
  return (share: number): number => {
    most = Math.max(most, Math.min(1, share))
    return most
  }
}

/** Where work is shown: on standard error, and only to a person. */
interface Shown {
  readonly what: string
  readonly json: boolean
}

const timeText = (startedMillis: number): string => {
  const seconds = Math.floor((performance.now() - startedMillis) / 1000)
  return seconds < 60 ? `${seconds}s` : `${Math.floor(seconds / 60)}m${seconds % 60}s`
}

/**
 * Does what may take long. A terminal shows meanwhile what it is, the game and the share, where the work tells them,
 * and how long it has taken; the line goes when it ends.
 */
export const showWork =
  ({ json, what }: Shown) =>
  <A, E, R>(work: Effect.Effect<A, E, R>): Effect.Effect<A, E, R> =>
    json || !process.stderr.isTTY
      ? work
      : Effect.acquireUseRelease(
          Effect.promise(async () => {
            const { default: cliProgress } = await import("cli-progress")
            const started = performance.now()
            const grown = growing()
            let at = ""
            const tell = ({ gameId, share }: { readonly gameId: string | null; readonly share: number }) => {
              const most = grown(share)
              at = `${gameId === null ? "" : `${shownText(gameId, 24)} `}${barOf(most, 24)} ${Math.floor(100 * most)} %`
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
