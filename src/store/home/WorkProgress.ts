import { Context, Effect } from "effect"

/** How far work is: the game that it is at, if it is at one, and the share that is done, 0 to 1. */
export interface WorkStep {
  readonly gameId: string | null
  readonly share: number
}

/** Hears how far long work is; nobody does, unless somebody watches. */
export const WorkProgress = Context.Reference<(step: WorkStep) => void>("cardlake/home/WorkProgress", {
  defaultValue: () => () => {}
})

/** Tells how far work is. */
export const tellWork = (gameId: string | null, share: number): Effect.Effect<void> =>
  Effect.map(WorkProgress, (tell) => tell({ gameId, share }))

/** Does a part of the work: what it tells of itself is told as from this share of the whole to that one. */
export const partOfWork =
  (from: number, to: number) =>
  <A, E, R>(work: Effect.Effect<A, E, R>): Effect.Effect<A, E, R> =>
    Effect.flatMap(WorkProgress, (tell) =>
      Effect.provideService(work, WorkProgress, ({ gameId, share }) =>
        tell({ gameId, share: from + (to - from) * share })
      )
    )

/** Does what one of several games needs, each of them an equal part of the work. */
export const gameOfWork =
  (gameId: string, { index, of }: { readonly index: number; readonly of: number }) =>
  <A, E, R>(work: Effect.Effect<A, E, R>): Effect.Effect<A, E, R> =>
    Effect.andThen(tellWork(gameId, 0), work).pipe(partOfWork(index / of, (index + 1) / of))
