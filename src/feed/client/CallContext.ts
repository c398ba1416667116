import { Clock, Context, Effect } from "effect"

/** A wait of a request, reported when it begins. */
export interface Wait {
  readonly millis: number
  readonly untilMillis: number
  /** The reason: `rate limit`, or the result of the previous attempt, such as `429` or `no answer`. */
  readonly why: string
}

/** The requests that a shared budget granted to a key, and their results. */
export interface Granted {
  /** An identifier that distinguishes keys and does not reveal them. */
  readonly key: string
  readonly leases: number
  readonly tokens: number
  /** The number of answers with status 429. */
  readonly refused: number
}

/** Observers of a call and its memory lock. They do not change the answer. */
export interface CallContext {
  readonly onWait: (wait: Wait) => Effect.Effect<void>
  /** Called with each grant of a shared budget and the time that the request waited for it. */
  readonly onGranted: (
    granted: Partial<Granted> & { readonly key: string; readonly waitedMillis?: number }
  ) => Effect.Effect<void>
  /** Wraps each attempt, to observe it. */
  readonly sent: <A extends { readonly status: number }, E, R>(send: Effect.Effect<A, E, R>) => Effect.Effect<A, E, R>
  /** Waits until no other large page is in memory, then locks. A second call has no effect. */
  readonly takeMemory: Effect.Effect<void>
  /** Releases the lock after a broken page, so that a retry does not block other pages. */
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

export const reportWait = Effect.fnUntraced(function* (millis: number, why: string) {
  const { onWait } = yield* CallContext
  yield* onWait({ millis, untilMillis: (yield* Clock.currentTimeMillis) + millis, why })
})

export const waitFor = (millis: number, why: string) => Effect.andThen(reportWait(millis, why), Effect.sleep(millis))
