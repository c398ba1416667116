import { Clock, Context, Effect } from "effect"

/** A wait of a request that begins now. */
export interface Wait {
  readonly millis: number
  readonly untilMillis: number
  /** What it waits for: `rate limit`, or what the attempt before it ended with: `429`, `no answer`. */
  readonly why: string
}

/** Hears of every wait when it begins; nobody by default. */
export const Waiting = Context.Reference<(wait: Wait) => Effect.Effect<void>>("cardlake/client/Waiting", {
  defaultValue: () => () => Effect.void
})

/** Says that a wait begins. */
export const tellWait = Effect.fnUntraced(function* (millis: number, why: string) {
  const tell = yield* Waiting
  yield* tell({ millis, untilMillis: (yield* Clock.currentTimeMillis) + millis, why })
})

/** Waits, and says so first. */
export const waitFor = (millis: number, why: string) => Effect.andThen(tellWait(millis, why), Effect.sleep(millis))
