import { Clock, Deferred, Effect, Option, Semaphore } from "effect"

export interface QueueEnd {
  /** Waits until all games had a turn, then `millis`. False without waiting if the night has no time. */
  readonly after: (millis: number) => Effect.Effect<boolean>
}

/**
 * The queue of a night's games with limited concurrency. Waiting games let others pass. All of them wait together, from
 * when every game has had a turn, and at most until `untilMillis`.
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
