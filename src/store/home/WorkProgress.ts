import { Context, Effect } from "effect"

/** Progress of work: the current game, if any, and the completed share, 0 to 1. */
export interface WorkStep {
  readonly gameId: string | null
  readonly share: number
}

/** Receives progress and warnings of long work; ignores both by default. */
export interface WorkProgress {
  readonly tell: (step: WorkStep) => void
  /** Warnings already reported, for deduplication; null to report every occurrence. */
  readonly warned: Set<string> | null
}
export const WorkProgress = Context.Reference<WorkProgress>("cardlake/home/WorkProgress", {
  defaultValue: () => ({ tell: () => {}, warned: null })
})

/** Logs a warning, which {@link tellingOnce} deduplicates. */
export const warnOnce = (message: string): Effect.Effect<void> =>
  Effect.flatMap(WorkProgress, ({ warned }) => {
    if (warned?.has(message) === true) return Effect.void
    warned?.add(message)
    return Effect.logWarning(message)
  })

/** Deduplicates warnings of work that reads the same file repeatedly, e.g. an export of all games. */
export const tellingOnce = <A, E, R>(work: Effect.Effect<A, E, R>): Effect.Effect<A, E, R> =>
  Effect.updateService(work, WorkProgress, ({ tell }) => ({ tell, warned: new Set<string>() }))

export const tellWork = (gameId: string | null, share: number): Effect.Effect<void> =>
  Effect.map(WorkProgress, ({ tell }) => tell({ gameId, share }))

/** Runs one part of the work, scaling its progress to this range. */
export const partOfWork =
  (from: number, to: number) =>
  <A, E, R>(work: Effect.Effect<A, E, R>): Effect.Effect<A, E, R> =>
    Effect.updateService(work, WorkProgress, ({ tell, warned }) => ({
      tell: ({ gameId, share }) => tell({ gameId, share: from + (to - from) * share }),
      warned
    }))

/** Runs the work of one game, scaling its progress to an equal share per game. */
export const gameOfWork =
  (gameId: string, { index, of }: { readonly index: number; readonly of: number }) =>
  <A, E, R>(work: Effect.Effect<A, E, R>): Effect.Effect<A, E, R> =>
    Effect.andThen(tellWork(gameId, 0), work).pipe(partOfWork(index / of, (index + 1) / of))
