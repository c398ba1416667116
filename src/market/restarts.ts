import { Clock, type Context, Effect, Exit, Latch, Schedule, Scope, Semaphore } from "effect"

/** Puts what is served back to its start; `between` happens when the old one is closed and the new one not yet open. */
type Restart = (between: Effect.Effect<void>) => Effect.Effect<void>

/** What a restart waits for requests that are under way. */
const longestWait = "5 seconds"

/**
 * Opens something in a scope of its own, and opens it anew at each restart. `through` is the way of every request:
 * those under way are answered before a restart, and those that come meanwhile wait for it.
 */
export const makeRestarts = Effect.fnUntraced(function* <A, E, R>(
  open: (restart: Restart) => Effect.Effect<A, E, R | Scope.Scope>
) {
  const outer = yield* Scope.Scope
  const context = yield* Effect.context<R>()
  const ofStart: (current: Context.Context<never>) => Context.Context<R> = () => context
  const isOpen = Latch.makeUnsafe(true)
  const oneAtATime = Semaphore.makeUnsafe(1)
  let underWay = 0

  const begin = Effect.gen(function* () {
    const scope = yield* Scope.fork(outer)
    // Nothing of the context of the request: it has the layers of the market that it came to.
    const opened = yield* Effect.updateContext(Scope.provide(open(restart), scope), ofStart)
    return { opened, close: Scope.close(scope, Exit.void) }
  })
  const idle = Effect.sync(() => underWay === 0).pipe(
    Effect.repeat({ until: (isIdle) => isIdle, schedule: Schedule.spaced("5 millis") }),
    Effect.timeoutOption(longestWait),
    Effect.provideService(Clock.Clock, Clock.Clock.defaultValue())
  )
  const restart: Restart = (between) =>
    Effect.gen(function* () {
      // The request that asks for it is under way itself.
      underWay -= 1
      yield* isOpen.close
      yield* idle
      yield* current.close
      yield* between
      current = yield* Effect.orDie(begin)
    }).pipe(
      Effect.ensuring(
        Effect.suspend(() => {
          underWay += 1
          return isOpen.open
        })
      ),
      oneAtATime.withPermit,
      Effect.uninterruptible
    )
  let current = yield* begin
  return {
    current: () => current.opened,
    through: <B, F, S>(answer: (opened: A) => Effect.Effect<B, F, S>) =>
      Effect.gen(function* () {
        while (!Latch.isOpen(isOpen)) yield* isOpen.await
        underWay += 1
        return yield* Effect.ensuring(
          answer(current.opened),
          Effect.sync(() => (underWay -= 1))
        )
      })
  }
})
