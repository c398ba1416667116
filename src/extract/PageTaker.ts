import { Effect } from "effect"
import type { Scope } from "effect"
import { takePage } from "./takePage.ts"
import type { SentPage, Taken } from "./takePage.ts"

/** Takes the pages of one round apart. */
export interface RoundTaker {
  /** Fails, in words, where whoever took the page apart ended over it. */
  readonly take: (page: SentPage) => Effect.Effect<Taken, string>
  /** The round is over and kept. Why not all of its records are, in words; null where all are. */
  readonly end: Effect.Effect<string | null>
}

/**
 * Who takes pages apart and keeps what is accepted of them. A round that is begun
 * has none of the one before; `head` is the deployment that was live before it.
 */
export interface PageTaker {
  readonly round: (gameId: string, head: string | null) => Effect.Effect<RoundTaker, never, Scope.Scope>
}

/** Takes pages apart on this thread and keeps nothing of them but the account. */
export const accountOnly: PageTaker = {
  round: () =>
    Effect.succeed({ take: (page) => Effect.sync(() => takePage(page, () => {})), end: Effect.succeed(null) })
}
