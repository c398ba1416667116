import { Clock, type Context, Effect, Exit, Latch, Schedule, Scope, Semaphore } from "effect"

/** Resets the served value to its start. `between` runs after the old one is closed and before the new one opens. */
type Restart = (between: Effect.Effect<void>) => Effect.Effect<void>

/** How long a restart waits for requests in progress. */
const maxWait = "5 seconds"

/**
 * Opens something in its own scope and reopens it at each restart. Every request passes through `through`: a restart
 * waits for requests in progress, and later ones wait for the restart.
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
    // The request's context is not used: its layers are those of the market being closed.
    const opened = yield* Effect.updateContext(Scope.provide(open(restart), scope), ofStart)
    return { opened, close: Scope.close(scope, Exit.void) }
  })
  const idle = Effect.sync(() => underWay === 0).pipe(
    Effect.repeat({ until: (isIdle) => isIdle, schedule: Schedule.spaced("5 millis") }),
    Effect.timeoutOption(maxWait),
    Effect.provideService(Clock.Clock, Clock.Clock.defaultValue())
  )
  const restart: Restart = (between) =>
    Effect.gen(function* () {
      // The request that asks for the restart is itself in progress.
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
