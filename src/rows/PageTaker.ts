import { Effect, type Scope } from "effect"
import { takePage, type SentPage, type Taken } from "./takePage.ts"

/** Takes apart the pages of one round. */
export interface RoundTaker {
  /** Fails, in words, if the thread that took the page apart crashed. */
  readonly take: (page: SentPage) => Effect.Effect<Taken, string>
  /** The round is over and stays. Says why some of its records are missing; null if none are. */
  readonly end: Effect.Effect<string | null>
}

/**
 * Takes pages apart and keeps what is accepted of them. A new round starts empty;
 * `head` is the deployment that was live before it.
 */
export interface PageTaker {
  readonly round: (gameId: string, head: string | null) => Effect.Effect<RoundTaker, never, Scope.Scope>
}

/** Takes pages apart on this thread and keeps only what was counted and refused. */
export const accountOnly: PageTaker = {
  round: () =>
    Effect.succeed({ take: (page) => Effect.sync(() => takePage(page, () => {})), end: Effect.succeed(null) })
}
