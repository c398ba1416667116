import { homeFormat } from "../HomeMarker.ts"
import { Effect, Schema } from "effect"
import type { BucketStore } from "./BucketStore.ts"
import { fetchDocument, swapDocument } from "./bucketDocuments.ts"
import { attemptOf, gameKey } from "./bucketKeys.ts"
import type { CheckedOut } from "./checkOut.ts"
import { GameDocument, type Leaving, type NightPart } from "./documents.ts"
import { isReadLater } from "./nights/lastNight.ts"
import type { StoredState } from "./storeGame.ts"

/** Keys of unreferenced objects that are scheduled for deletion. */
export const LeavingKeys = Schema.Struct({ keys: Schema.Array(Schema.String) })

/** Another runner wrote a newer state of the game, or a prune scheduled this attempt's objects for deletion. */
class GameTaken extends Schema.TaggedError<GameTaken>()("GameTaken", { gameId: Schema.String }) {}

/** A prune scheduled the objects of a silent runner for deletion. */
export class AttemptLeft extends Schema.TaggedError<AttemptLeft>()("AttemptLeft", {}) {}

/** True if a deletion list has an object of this attempt, which was silent for so long that it counts as crashed. */
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

/** Keeps the existing part if it belongs to a later night, or if this part has nothing new beside it. */
const partOf = (there: NightPart | undefined, own: NightPart | undefined, isNew: boolean): NightPart | undefined => {
  if (there === undefined || own === undefined) return own ?? there
  if (isReadLater(there.night, own.night)) return there
  return there.night === own.night && !isNew && there.verdict !== "failed" ? there : own
}

/** Records the result of a night's part in a game's document; null if another runner wrote the game's newest state. */
export const markPart = Effect.fn("markPart")(function* (
  store: BucketStore,
  { number, opened: { gameId } }: CheckedOut,
  { at, part }: { readonly at: string; readonly part: NightPart }
) {
  return yield* swapDocument(store, gameKey(gameId), GameDocument, (there) => {
    if ((there?.number ?? 0) !== number) return new GameTaken({ gameId })
    const next = partOf(there?.part, part, false)
    const none = {
      format: homeFormat,
      gameId,
      state: null,
      number: 0,
      verdict: "ready",
      leaving: [],
      writers: []
    } as const
    if (next === there?.part) return Effect.succeed(null)
    return Effect.succeed({ ...(there ?? none), at, report: part.report, part: next ?? part } satisfies GameDocument)
  }).pipe(Effect.catchTag("GameTaken", () => Effect.succeed(null)))
})

/** Makes a stored state the game's newest one; null if another runner's state is newer. */
export const swapGame = Effect.fn("swapGame")(function* (
  store: BucketStore,
  { number, opened: { gameId } }: CheckedOut,
  { at, attempt, part, report, stored }: NewState & { readonly part?: NightPart | undefined }
) {
  return yield* swapDocument(store, gameKey(gameId), GameDocument, (there) =>
    Effect.gen(function* () {
      const leaving = there?.leaving ?? []
      if ((there?.number ?? 0) !== number || (yield* isLeaving(store, gameId, leaving, attempt)))
        return yield* new GameTaken({ gameId })
      const ofNight = partOf(there?.part, part, true)
      return {
        format: homeFormat,
        gameId,
        state: stored.ref,
        number: stored.state.number,
        verdict: stored.held.length > 0 ? "held" : "ready",
        at,
        report,
        leaving,
        ...(ofNight === undefined ? {} : { part: ofNight }),
        writers: there?.writers ?? []
      } satisfies GameDocument
    })
  ).pipe(Effect.catchTag("GameTaken", () => Effect.succeed(null)))
})
