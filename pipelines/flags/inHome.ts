import * as Config from "effect/Config"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { soundHome } from "../../src/store/home/bucket/HomeInBucket.ts"
import { isBucket } from "../../src/store/home/bucket/isBucket.ts"
import type { PlaceInBucket, Work } from "../../src/store/home/bucket/workInBucket.ts"
import { settingsProvider } from "../settings/settingsProvider.ts"

/** The address of a home in a bucket; null: it is in a folder. */
export const bucketOf = Effect.fnUntraced(function* (settings: Record<string, string>) {
  const provider = yield* settingsProvider(settings)
  const home = yield* soundHome(yield* Config.String("CARDLAKE_HOME").pipe(Config.withDefault("")).parse(provider))
  return isBucket(home) ? home : null
})

/**
 * Runs a command in the home that the settings name. If that is in a bucket, it runs in a folder that has what it needs,
 * again for some games if others were faster, with services that know its `place`. In a folder it just runs.
 */
export const inHome = <A, E, R, E2 = never, R2 = never>(
  settings: Record<string, string>,
  work: Work<A, E2, R2>,
  run: (
    settings: Record<string, string>,
    games: ReadonlyArray<string> | null,
    place?: PlaceInBucket
  ) => Effect.Effect<A, E, R>
) =>
  Effect.gen(function* () {
    const address = yield* bucketOf(settings)
    if (address === null) return yield* run(settings, null)
    const { workInBucket } = yield* Effect.promise(() => import("../../src/store/home/bucket/workInBucket.ts"))
    const { bucketServices } = yield* Effect.promise(() => import("../settings/services.ts"))
    const services = yield* Layer.build(bucketServices(settings))
    return yield* workInBucket(address, work, (root, games, place) =>
      run({ ...settings, CARDLAKE_HOME: root }, games, place)
    ).pipe(Effect.provideContext(services))
  })
