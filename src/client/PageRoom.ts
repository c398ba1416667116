import { Context, Effect, Semaphore } from "effect"

/** The place of large pages in memory, as one page sees it. */
export interface PageRoom {
  /** Waits until no other large page is in memory; to take it twice is to take it once. */
  readonly take: Effect.Effect<void>
  /** For a page that came broken: whoever asks again must not keep others waiting. */
  readonly leave: Effect.Effect<void>
}

/** Outside of {@link withPageRoom} nobody waits. */
export const PageRoom = Context.Reference<PageRoom>("cardlake/client/PageRoom", {
  defaultValue: () => ({ take: Effect.void, leave: Effect.void })
})

/** One for the whole process, as its memory is. */
const room = Semaphore.makeUnsafe(1)

/**
 * Asks for a page and uses it. A large page has the room to itself from before it is unzipped until `page` ends.
 * Whoever has the room must not ask for another page: every request under way may be waiting for it.
 */
export const withPageRoom = <A, E, R>(page: Effect.Effect<A, E, R>): Effect.Effect<A, E, R> =>
  Effect.suspend(() => {
    let taken = false
    const take = Effect.uninterruptibleMask((restore) =>
      taken ? Effect.void : Effect.map(restore(room.take(1)), () => void (taken = true))
    )
    const leave = Effect.suspend(() => {
      if (!taken) return Effect.void
      taken = false
      return Effect.asVoid(room.release(1))
    })
    return page.pipe(Effect.provideService(PageRoom, { take, leave }), Effect.ensuring(leave))
  })
