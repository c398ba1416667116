import { Effect, Schema } from "effect"
import type { BucketStore } from "./BucketStore.ts"
import { fetchDocument, swapDocument } from "./bucketDocuments.ts"
import { attemptOf, gameKey } from "./bucketKeys.ts"
import type { CheckedOut } from "./checkOut.ts"
import { GameDocument, type Leaving } from "./documents.ts"
import type { StoredState } from "./storeGame.ts"

/** Keys of objects that nobody names any more. */
export const LeavingKeys = Schema.Struct({ keys: Schema.Array(Schema.String) })

/** Somebody else wrote a newer state of a game, or a prune took this attempt for dead. */
class GameTaken extends Schema.TaggedError<GameTaken>()("GameTaken", { gameId: Schema.String }) {}

/** A prune took what a silent runner had written for litter. */
export class AttemptLeft extends Schema.TaggedError<AttemptLeft>()("AttemptLeft", {}) {}

/** Whether a list of what leaves has anything of this attempt: it was silent for so long that it counts as dead. */
export const isLeaving = Effect.fnUntraced(function* (
  store: BucketStore,
  gameId: string | null,
  leaving: ReadonlyArray<Leaving>,
  attempt: string
) {
  for (const { list } of leaving) {
    const { keys } = yield* fetchDocument(store, { gameId, kind: "leaving", ref: list, schema: LeavingKeys })
    if (keys.some((key) => attemptOf(key) === attempt)) return true
  }
  return false
})

export interface NewState {
  readonly attempt: string
  readonly stored: StoredState
  readonly at: string
  readonly report: GameDocument["report"]
}

/** Makes a stored state a game's newest one; null: somebody else's is. */
export const swapGame = Effect.fn("swapGame")(function* (
  store: BucketStore,
  { number, opened: { gameId } }: CheckedOut,
  { at, attempt, report, stored }: NewState
) {
  return yield* swapDocument(store, gameKey(gameId), GameDocument, (there) =>
    Effect.gen(function* () {
      const leaving = there?.leaving ?? []
      if ((there?.number ?? 0) !== number || (yield* isLeaving(store, gameId, leaving, attempt)))
        return yield* new GameTaken({ gameId })
      return {
        format: 1,
        gameId,
        state: stored.ref,
        number: stored.state.number,
        verdict: stored.held.length > 0 ? "held" : "ready",
        at,
        report,
        leaving,
        writers: there?.writers ?? []
      } satisfies GameDocument
    })
  ).pipe(Effect.catchTag("GameTaken", () => Effect.succeed(null)))
})
