import * as Effect from "effect/Effect"
import type { Need } from "../../src/store/home/bucket/checkOut.ts"
import type { Work } from "../../src/store/home/bucket/workInBucket.ts"

/** What a command that only reads needs of a home in a bucket: every folder of what is published. */
export const reading = <A>(runs: Need["runs"], games: ReadonlyArray<string> | null = null): Work<A, never, never> => ({
  need: { games, of: "published", folders: "all", runs },
  writes: null
})

/** The same for what may look before the first night. */
export const readingIfAny = <A>(runs: Need["runs"]): Work<A, never, never> => ({ ...reading(runs), isFirst: true })

/** What a command that writes needs: every folder of these games, as far as their runners have come. */
export const writing = <A>(
  games: ReadonlyArray<string> | null,
  together: (first: A, second: A) => A = (_, second) => second
): Work<A, never, never> => ({
  need: { games, of: "newest", folders: "all", runs: "recent" },
  writes: { kind: "other", again: "lost", settle: (_, done) => Effect.succeed(done), together }
})

/** Runs a command that only reports what {@link writing} would change. */
export const readingNewest = <A>(games: ReadonlyArray<string>): Work<A, never, never> => ({
  need: writing(games).need,
  writes: null
})

/** A prune weighs all games against each other; afterwards, what nobody names any more leaves the bucket. */
export const pruning = <A>(runs: Need["runs"]): Work<A, never, never> => ({
  need: { games: null, of: "newest", folders: "all", runs },
  writes: {
    kind: "other",
    again: "all",
    settle: (_, done) => Effect.succeed(done),
    together: (_, second) => second,
    sweeps: true
  }
})

/** A backfill adds answers to a game's newest state, however long it took. */
export const backfilling = <A>(games: ReadonlyArray<string>): Work<A, never, never> => ({
  need: { games, of: "newest", folders: "night", runs: "recent" },
  writes: {
    kind: "backfill",
    again: "lost",
    settle: (_, done) => Effect.succeed(done),
    together: (_, second) => second
  }
})
