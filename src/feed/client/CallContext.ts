import { Clock, Context, Effect } from "effect"

/** A wait of a request that begins now. */
export interface Wait {
  readonly millis: number
  readonly untilMillis: number
  /** What it waits for: `rate limit`, or what the attempt before it ended with: `429`, `no answer`. */
  readonly why: string
}

/** What a key was granted of the budget that workers share, and what came of it. */
export interface Granted {
  /** Tells keys apart, and nothing else. */
  readonly key: string
  readonly leases: number
  readonly tokens: number
  /** Answers with 429. */
  readonly refused: number
}

/** Who watches a call, and the memory that it uses. Changes nothing of its answer. */
export interface CallContext {
  /** Hears of every wait when it begins. */
  readonly onWait: (wait: Wait) => Effect.Effect<void>
  /** Hears of what was granted of a shared budget, with how long a request waited for it. */
  readonly onGranted: (
    granted: Partial<Granted> & { readonly key: string; readonly waitedMillis?: number }
  ) => Effect.Effect<void>
  /** Watches each attempt. */
  readonly sent: <A extends { readonly status: number }, E, R>(send: Effect.Effect<A, E, R>) => Effect.Effect<A, E, R>
  /** Waits until no other large page is in memory; taking it twice is taking it once. */
  readonly takeMemory: Effect.Effect<void>
  /** For a page that arrived broken: a retry must not keep others waiting. */
  readonly leaveMemory: Effect.Effect<void>
}
export const CallContext = Context.Reference<CallContext>("cardlake/client/CallContext", {
  defaultValue: () => ({
    onWait: () => Effect.void,
    onGranted: () => Effect.void,
    sent: (send) => send,
    takeMemory: Effect.void,
    leaveMemory: Effect.void
  })
})

/** Says that a wait begins. */
export const tellWait = Effect.fnUntraced(function* (millis: number, why: string) {
  const { onWait } = yield* CallContext
  yield* onWait({ millis, untilMillis: (yield* Clock.currentTimeMillis) + millis, why })
})

/** Waits, and says so first. */
export const waitFor = (millis: number, why: string) => Effect.andThen(tellWait(millis, why), Effect.sleep(millis))
