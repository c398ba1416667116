import * as Effect from "effect/Effect"
import { shownText } from "../../src/feed/contract/shownText.ts"
import { WorkProgress } from "../../src/store/home/WorkProgress.ts"
import { barLine, barOf, barRoom, growing } from "./barLine.ts"
import { barsBelow, keepBelow } from "./besideBars.ts"

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
