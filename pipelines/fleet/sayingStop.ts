import { Effect } from "effect"

const signals = ["SIGINT", "SIGTERM"] as const

/** Has a member say that a signal stops it, before it hands over what it does. */
export const sayingStop = Effect.fnUntraced(function* (say: (signal: string) => Effect.Effect<void>) {
  const context = yield* Effect.context<never>()
  const onSignal = (signal: NodeJS.Signals) => Effect.runSyncWith(context)(say(signal))
  yield* Effect.acquireRelease(
    // Before those that interrupt the program: it may end meanwhile.
    Effect.sync(() => signals.forEach((signal) => process.prependOnceListener(signal, onSignal))),
    () => Effect.sync(() => signals.forEach((signal) => process.removeListener(signal, onSignal)))
  )
})
