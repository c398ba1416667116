import { Clock, Deferred, Effect, Option, Semaphore } from "effect"

/** The end of the queue, as one game sees it. */
export interface QueueEnd {
  /**
   * Lets the next game have its turn, and waits until every game had one; then until that was so long ago. False: the
   * night has no time for such a wait, so there was none.
   */
  readonly after: (millis: number) => Effect.Effect<boolean>
}

/**
 * The games of a night, so many at a time. One that has to wait stands back for the others, and all that wait do so
 * together, from the moment on at which none is left that had no turn. None waits beyond `untilMillis`.
 */
export const makeNightQueue = Effect.fnUntraced(function* (games: number, atOnce: number, untilMillis: number) {
  const gate = yield* Semaphore.make(atOnce)
  const allHad = yield* Deferred.make<number>()
  let left = games
  return <A, E, R>(turn: (end: QueueEnd) => Effect.Effect<A, E, R>): Effect.Effect<A, E, R> => {
    let isOver = false
    const over = Effect.gen(function* () {
      if (isOver) return
      isOver = true
      left -= 1
      if (left === 0) yield* Deferred.succeed(allHad, yield* Clock.currentTimeMillis)
    })
    const after = Effect.fnUntraced(function* (millis: number) {
      yield* gate.release(1)
      yield* over
      const left = Effect.map(Clock.currentTimeMillis, (now) => Math.max(0, untilMillis - now))
      const since = Option.getOrNull(yield* Effect.timeoutOption(Deferred.await(allHad), yield* left))
      const hasTime = since !== null && since + millis <= untilMillis
      if (hasTime) yield* Effect.sleep(Math.max(0, since + millis - (yield* Clock.currentTimeMillis)))
      yield* gate.take(1)
      return hasTime
    })
    return Effect.ensuring(gate.withPermit(turn({ after })), over)
  }
})
