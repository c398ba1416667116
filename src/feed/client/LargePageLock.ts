import { Context, Effect, Semaphore } from "effect"
import { collectGarbage } from "./collectGarbage.ts"

/** The memory that large pages take turns using, as one page sees it. */
export interface LargePageLock {
  /** Waits until no other large page is in memory; taking it twice is taking it once. */
  readonly take: Effect.Effect<void>
  /** For a page that arrived broken: a retry must not keep others waiting. */
  readonly leave: Effect.Effect<void>
}

/** Outside {@link withLargePageLock} nothing waits. */
export const LargePageLock = Context.Reference<LargePageLock>("cardlake/client/LargePageLock", {
  defaultValue: () => ({ take: Effect.void, leave: Effect.void })
})

/** One for the whole process, as its memory is. */
const lock = Semaphore.makeUnsafe(1)

/**
 * Requests a page and uses it. A large page holds the lock from before it is unzipped until `page` ends.
 * While it does, it must not request another page: every request under way may be waiting for the lock.
 */
export const withLargePageLock = <A, E, R>(page: Effect.Effect<A, E, R>): Effect.Effect<A, E, R> =>
  Effect.suspend(() => {
    let taken = false
    const take = Effect.uninterruptibleMask((restore) =>
      taken ? Effect.void : Effect.map(restore(lock.take(1)), () => void (taken = true))
    )
    const leave = Effect.suspend(() => {
      if (!taken) return Effect.void
      taken = false
      // The next large page must not come on top of what this one leaves.
      collectGarbage()
      return Effect.asVoid(lock.release(1))
    })
    return page.pipe(Effect.provideService(LargePageLock, { take, leave }), Effect.ensuring(leave))
  })
