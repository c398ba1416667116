import { Context, Effect } from "effect"

/** How far work is: the game that it is at, if it is at one, and the share that is done, 0 to 1. */
export interface WorkStep {
  readonly gameId: string | null
  readonly share: number
}

/** Who hears of long work, of how far it is and of its warnings; nobody by default. */
export interface WorkProgress {
  readonly tell: (step: WorkStep) => void
  /** Warnings that are told once, and were; null: each is told as often as it comes. */
  readonly warned: Set<string> | null
}
export const WorkProgress = Context.Reference<WorkProgress>("cardlake/home/WorkProgress", {
  defaultValue: () => ({ tell: () => {}, warned: null })
})

/** A warning that {@link tellingOnce} lets through once. */
export const warnOnce = (message: string): Effect.Effect<void> =>
  Effect.flatMap(WorkProgress, ({ warned }) => {
    if (warned?.has(message) === true) return Effect.void
    warned?.add(message)
    return Effect.logWarning(message)
  })

/** For what comes by the same file again and again, as an export does with every game. */
export const tellingOnce = <A, E, R>(work: Effect.Effect<A, E, R>): Effect.Effect<A, E, R> =>
  Effect.updateService(work, WorkProgress, ({ tell }) => ({ tell, warned: new Set<string>() }))

/** Tells how far work is. */
export const tellWork = (gameId: string | null, share: number): Effect.Effect<void> =>
  Effect.map(WorkProgress, ({ tell }) => tell({ gameId, share }))

/** Does a part of the work: what it tells of itself is told as from this share of the whole to that one. */
export const partOfWork =
  (from: number, to: number) =>
  <A, E, R>(work: Effect.Effect<A, E, R>): Effect.Effect<A, E, R> =>
    Effect.updateService(work, WorkProgress, ({ tell, warned }) => ({
      tell: ({ gameId, share }) => tell({ gameId, share: from + (to - from) * share }),
      warned
    }))

/** Does what one of several games needs, each of them an equal part of the work. */
export const gameOfWork =
  (gameId: string, { index, of }: { readonly index: number; readonly of: number }) =>
  <A, E, R>(work: Effect.Effect<A, E, R>): Effect.Effect<A, E, R> =>
    Effect.andThen(tellWork(gameId, 0), work).pipe(partOfWork(index / of, (index + 1) / of))
