import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import type { Need } from "../../src/store/home/bucket/checkOut.ts"
import type { Work } from "../../src/store/home/bucket/workInBucket.ts"
import { warnings } from "../print/standardError.ts"
import { settingsOf } from "./sharedFlags.ts"

type Runs = Need["runs"]

/** How a command reports its work: unchanged, and if it ran twice, the second time. */
const asDone = { settle: <A>(_: string, done: A) => Effect.succeed(done), together: <A>(_: A, second: A) => second }

/** What a command that only reads needs of a home in a bucket: every folder of what is published. */
export const reading = (runs: Runs, games: ReadonlyArray<string> | null = null) => ({
  need: { games, of: "published", folders: "all", runs } as const,
  writes: null
})

/** What a command needs that reads, and that may run before the first night. */
export const readingIfAny = (runs: Runs) => ({ ...reading(runs), isFirst: true as const })

/** What a command that writes needs: every folder of these games, as far as their runners have come. */
export const writing = <A>(
  games: ReadonlyArray<string> | null,
  together: (first: A, second: A) => A = asDone.together
): Work<A, never, never> => ({
  need: { games, of: "newest", folders: "all", runs: "recent" },
  writes: { ...asDone, kind: "other", again: "lost", together }
})

/** Runs a command that only reports what {@link writing} would change. */
export const readingNewest = (games: ReadonlyArray<string>) => ({ need: writing(games).need, writes: null })

/** A prune weighs all games against each other; afterwards, what nobody names any more leaves the bucket. */
export const pruning = <A>(): Work<A, never, never> => ({
  need: { games: null, of: "newest", folders: "all", runs: "all" },
  writes: { ...asDone, kind: "other", again: "all", sweeps: true }
})

/** A backfill adds answers to a game's newest state, however long it took. */
export const backfilling = <A>(games: ReadonlyArray<string>): Work<A, never, never> => ({
  need: { games, of: "newest", folders: "night", runs: "recent" },
  writes: { ...asDone, kind: "backfill", again: "lost" }
})

/**
 * Runs a command that reads or writes the lake, wherever its home is. `run` gets the games that have to be done again,
 * as others changed them meanwhile; null: what it was asked for.
 */
export const inLake = <A, E, R, E2 = never, R2 = never>(
  flags: Parameters<typeof settingsOf>[0],
  work: Work<A, E2, R2>,
  run: (games: ReadonlyArray<string> | null) => Effect.Effect<A, E, R>
) =>
  Effect.gen(function* () {
    const { inHome } = yield* Effect.promise(() => import("./inHome.ts"))
    const { lakeServices } = yield* Effect.promise(() => import("../settings/services.ts"))
    return yield* inHome(settingsOf(flags), work, (settings, games, place) =>
      Effect.flatMap(Layer.build(Layer.merge(lakeServices(settings, place), warnings)), (services) =>
        Effect.provideContext(run(games), services)
      )
    )
  }).pipe(Effect.scoped)

/** Runs a command that writes about one game. */
export const writingGame = <A, E, R>(
  flags: Parameters<typeof settingsOf>[0],
  gameId: string,
  run: Effect.Effect<A, E, R>
) => inLake(flags, writing<A>([gameId]), () => run)

/** Runs what looks at a drop alone, wherever the home is. */
export const withoutLake = <A, E, R>(effect: Effect.Effect<A, E, R>) =>
  Effect.gen(function* () {
    const { lakeServicesIfAny } = yield* Effect.promise(() => import("../settings/services.ts"))
    const services = yield* Layer.build(Layer.merge(lakeServicesIfAny({ CARDLAKE_HOME: "data/lake" }), warnings))
    return yield* Effect.provideContext(effect, services)
  }).pipe(Effect.scoped)

/**
 * The services of a command, loaded when it runs: `--help` and usage errors need neither DuckDB nor an HTTP client.
 */
export const lakeOnly = (flags: Parameters<typeof settingsOf>[0], needsLake = true) =>
  Layer.unwrap(
    Effect.map(
      Effect.promise(() => import("../settings/services.ts")),
      ({ lakeServices, lakeServicesIfAny }) =>
        Layer.mergeAll((needsLake ? lakeServices : lakeServicesIfAny)(settingsOf(flags)), warnings)
    )
  )
