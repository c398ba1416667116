import { Context, Effect } from "effect"

/** Warnings that a command has told; null: it tells each as often as it comes. */
const Told = Context.Reference<Set<string> | null>("cardlake/home/Told", { defaultValue: () => null })

/** A warning that {@link tellingOnce} lets through once. */
export const warnOnce = (message: string): Effect.Effect<void> =>
  Effect.flatMap(Told, (told) => {
    if (told?.has(message) === true) return Effect.void
    told?.add(message)
    return Effect.logWarning(message)
  })

/** For what comes by the same file again and again, as an export does with every game. */
export const tellingOnce = <A, E, R>(effect: Effect.Effect<A, E, R>): Effect.Effect<A, E, R> =>
  Effect.suspend(() => Effect.provideService(effect, Told, new Set()))
