import { Effect } from "effect"
import type { InFlight } from "./InFlight.ts"

/** What a request has to pass. */
interface Ways<E> {
  /** Until its turn; 0 = it is due, and goes out. */
  readonly waitMillis: () => number
  readonly waited: (millis: number) => Effect.Effect<void>
  /** What workers share; always open where nobody does. */
  readonly gate: {
    readonly isOpen: () => boolean
    readonly pass: () => boolean
    readonly obtain: Effect.Effect<void, E>
  }
  readonly inFlight: InFlight
}

/** Sends a request once there is nothing left to wait for and a slot is free. */
export const sendAfter = <A, E, R, E2>(
  { gate, inFlight, waited, waitMillis }: Ways<E2>,
  request: Effect.Effect<A, E, R>
): Effect.Effect<A, E | E2, R> => {
  type Sent = Effect.Effect<A, E | E2, R>
  const later = (wait: number): Sent => Effect.andThen(waited(wait), send)
  const obtained: Sent = Effect.andThen(
    gate.obtain,
    Effect.suspend(() => send)
  )
  const send: Sent = Effect.suspend(() => {
    const wait = waitMillis()
    if (wait > 0) return later(wait)
    if (!gate.isOpen()) return obtained
    // Checked again once it has a slot: a limit may have been learned in the meantime, or a lease has ended.
    const attempt = Effect.suspend((): Effect.Effect<Sent, E, R> => {
      const wait = waitMillis()
      if (wait > 0) return Effect.succeed(later(wait))
      return gate.pass() ? Effect.map(request, Effect.succeed) : Effect.succeed(obtained)
    })
    return Effect.flatten(inFlight.within(attempt))
  })
  return send
}
