import { Config, Effect, type Layer } from "effect"
import { soundHome, soundPublicUrl, isBucket } from "../../src/store/home/bucket/homeAddress.ts"
import type { Need } from "../../src/store/home/bucket/checkOut.ts"
import { type PlaceInBucket, type Work, workInBucket } from "../../src/store/home/bucket/workInBucket.ts"
import { openStore } from "../../src/store/home/bucket/BucketStore.ts"
import { readLake } from "../../src/store/home/bucket/gameInBucket.ts"
import { readFront } from "../../src/store/home/bucket/frontObject.ts"
import { publishBucketFront } from "../../src/night/cluster/copies/publishBucketFront.ts"
import { shellWord } from "../../src/feed/contract/shellWord.ts"
import { warnOfFront } from "../../src/store/lake/front/publishFront.ts"
import { needFolder } from "../../src/store/lake/publish/openLake.ts"
import { wrongUsage } from "../print/printAnswer.ts"
import { bucketServices, lakeServices, withServices } from "../settings/services.ts"
import { readSetting, settingsProvider } from "../settings/settingsProvider.ts"
import { toSettings } from "./sharedFlags.ts"

/** Reports a command's work unchanged. If the work ran twice, the second result counts. */
export const asDone = {
  settle: <A>(_: string, done: A) => Effect.succeed(done),
  together: <A>(_: A, second: A) => second
}

/** The needs of a read-only command for a home in a bucket: all published folders. */
export const readNeeds = (runs: Need["runs"], games: ReadonlyArray<string> | null = null) => ({
  need: { games, of: "published", folders: "all", runs } as const,
  writes: null
})

/** The needs of a read-only command that may run before the first night. */
export const readNeedsIfAny = (runs: Need["runs"]) => ({ ...readNeeds(runs), isFirst: true as const })

/** The needs of a writing command: every folder of these games, including unpublished ones. */
export const writing = <A>(
  games: ReadonlyArray<string> | null,
  together: (first: A, second: A) => A = asDone.together
): Work<A, never, never> => ({
  need: { games, of: "newest", folders: "all", runs: "recent" },
  writes: { ...asDone, kind: "other", again: "lost", together }
})

/** Returns the address of a home in a bucket; null if the home is a folder. */
export const findBucket = Effect.fnUntraced(function* (settings: Record<string, string>) {
  const provider = yield* settingsProvider(settings)
  const home = yield* soundHome(yield* Config.String("CARDLAKE_HOME").pipe(Config.withDefault("")).parse(provider))
  return isBucket(home) ? home : null
})

/** The bucket that several machines read a night into. Fails for a home in a folder, local to one machine. */
export const bucketOfSteps = Effect.fnUntraced(function* (settings: Record<string, string>) {
  return (
    (yield* findBucket(settings)) ??
    (yield* wrongUsage(
      "A night in parts needs a home in a bucket: --home s3://bucket/prefix. In a folder, one command reads and publishes all: cardlake nightly"
    ))
  )
})

/** The work of publishing a front. It writes no commit. */
const frontWork: Work<Effect.Success<ReturnType<typeof publishBucketFront>>, never, never> = readNeeds("all")

export const publishFrontIn = (settings: Record<string, string>, address: string, publicUrl: string | null) =>
  withServices(bucketServices(settings))(
    workInBucket(address, frontWork, (root, _, place) =>
      withServices(lakeServices({ ...settings, CARDLAKE_HOME: root }, { ...place, buildsLake: true }))(
        publishBucketFront(place.checkout, publicUrl)
      )
    )
  )

/** Refreshes a bucket's front, if it has one or its address is set. A failure is a warning; it is derived. */
export const refreshFrontIn = Effect.fnUntraced(function* (settings: Record<string, string>) {
  const address = yield* findBucket(settings)
  if (address === null) return
  yield* Effect.gen(function* () {
    const publicUrl = yield* soundPublicUrl((yield* readSetting(settings, "CARDLAKE_PUBLIC_URL")) ?? "")
    const isDue = Effect.gen(function* () {
      const store = yield* openStore(address)
      const front = yield* readFront(store)
      if (front === null) return publicUrl !== null
      return (publicUrl ?? front.base) !== front.base || front.number < ((yield* readLake(store))?.number ?? 0)
    })
    if (yield* withServices(bucketServices(settings))(isDue)) yield* publishFrontIn(settings, address, publicUrl)
  }).pipe(
    Effect.scoped,
    Effect.catchTag("FrontRefused", () => Effect.void),
    warnOfFront(address, `cardlake front publish --home ${shellWord(address)}`)
  )
})

type Services<S, E, R> = (settings: Record<string, string>, place?: PlaceInBucket) => Layer.Layer<S, E, R>

/**
 * Runs `run` with the services of the configured home. For a bucket it works in a folder with the files that `work`
 * needs. After a conflict it runs again for the changed `games`; null means all requested games.
 */
export const inHome = <S, E1, R1, A, E, R, E2 = never, R2 = never>(
  settings: Record<string, string>,
  { services, work }: { readonly work: Work<A, E2, R2>; readonly services: Services<S, E1, R1> },
  run: (games: ReadonlyArray<string> | null) => Effect.Effect<A, E, R>
) =>
  Effect.gen(function* () {
    const address = yield* findBucket(settings)
    if (address === null) return yield* withServices(services(settings))(run(null))
    const inFolder = workInBucket(address, work, (root, games, place) =>
      withServices(services({ ...settings, CARDLAKE_HOME: root }, place))(run(games))
    )
    const done = yield* withServices(bucketServices(settings))(inFolder)
    const isPart = work.writes?.part !== undefined
    if (work.writes !== null && work.writes.publishes !== false && !isPart) yield* refreshFrontIn(settings)
    return done
  })

/** Runs a command that reads or writes the lake, wherever its home is. */
export const inLake = <A, E, R, E2 = never, R2 = never>(
  flags: Parameters<typeof toSettings>[0],
  work: Work<A, E2, R2>,
  run: (games: ReadonlyArray<string> | null) => Effect.Effect<A, E, R>
) =>
  Effect.scoped(
    inHome(toSettings(flags), { work, services: lakeServices }, (games) => Effect.andThen(needFolder, run(games)))
  )

export const writingGame = <A, E, R>(
  flags: Parameters<typeof toSettings>[0],
  gameId: string,
  run: Effect.Effect<A, E, R>
) => inLake(flags, writing<A>([gameId]), () => run)
