import { Effect, Semaphore } from "effect"
import { CallContext } from "./CallContext.ts"
import { collectGarbage } from "./collectGarbage.ts"

/** The memory that large pages take turns using. Outside {@link withLargePageLock} nothing waits. */
export const takeLargePageLock = Effect.flatMap(CallContext, ({ takeMemory }) => takeMemory)
export const leaveLargePageLock = Effect.flatMap(CallContext, ({ leaveMemory }) => leaveMemory)

/** One for the whole process, as its memory is. */
const lock = Semaphore.makeUnsafe(1)

/**
 * Requests a page and uses it. A large page holds the lock from before it is unzipped until `page` ends.
 * While it does, it must not request another page: every request under way may be waiting for the lock.
 */
export const withLargePageLock = <A, E, R>(page: Effect.Effect<A, E, R>): Effect.Effect<A, E, R> =>
  Effect.suspend(() => {
    let taken = false
    const takeMemory = Effect.uninterruptibleMask((restore) =>
      taken ? Effect.void : Effect.map(restore(lock.take(1)), () => void (taken = true))
    )
    const leaveMemory = Effect.suspend(() => {
      if (!taken) return Effect.void
      taken = false
      // The next large page must not come on top of what this one leaves.
      collectGarbage()
      return Effect.asVoid(lock.release(1))
    })
    return page.pipe(
      Effect.updateService(CallContext, (call) => ({ ...call, takeMemory, leaveMemory })),
      Effect.ensuring(leaveMemory)
    )
  })
