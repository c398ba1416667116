import * as Effect from "effect/Effect"
import { barsBelow, keepBelow } from "./besideBars.ts"

/** Where work is shown: on standard error, and only to a person. */
interface Shown {
  readonly what: string
  readonly json: boolean
}

/** Does what may take long. A terminal shows meanwhile what it is and how long it has taken; the line goes when it ends. */
export const showWork =
  ({ json, what }: Shown) =>
  <A, E, R>(work: Effect.Effect<A, E, R>): Effect.Effect<A, E, R> =>
    json || !process.stderr.isTTY
      ? work
      : Effect.acquireUseRelease(
          Effect.promise(async () => {
            const { default: cliProgress } = await import("cli-progress")
            const format = `${what} {duration_formatted}`
            const bars = keepBelow(
              new cliProgress.MultiBar({ ...barsBelow, stream: process.stderr, format, clearOnComplete: true })
            )
            bars.create(1, 0)
            bars.update()
            return bars
          }),
          () => work,
          (bars) => Effect.sync(() => bars.stop())
        )
