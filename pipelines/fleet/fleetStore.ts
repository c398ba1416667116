import { Clock, Effect, Schedule } from "effect"
import { monotonicMillis } from "../../src/feed/disk/monotonicMillis.ts"
import { showing } from "../../src/night/run/showing.ts"
import { BucketFailed, BucketUnfit } from "../../src/store/home/bucket/BucketFailed.ts"
import { openStore } from "../../src/store/home/bucket/BucketStore.ts"
import { anyLakeKey } from "../../src/store/home/bucket/gameInBucket.ts"
import { checkStore } from "../../src/store/home/bucket/homeAround.ts"
import { bucketOfSteps } from "../flags/inHome.ts"
import { bucketServices, withServices } from "../settings/services.ts"

/** Waiting for the store is reported after this time. */
const reportAfter = "10 seconds"
const againAfter = "5 seconds"

export const openBucketStore = Effect.fnUntraced(function* (settings: Record<string, string>) {
  return yield* withServices(bucketServices(settings))(openStore(yield* bucketOfSteps(settings)))
})

/** Fails with a sentence if the store is missing, denies access, or violates the requirements of a home. */
export const tryStore = Effect.fnUntraced(function* (settings: Record<string, string>) {
  const store = yield* openBucketStore(settings)
  yield* store.read(anyLakeKey)
  yield* checkStore(store)
}, Effect.scoped)

/** True if the store is unreachable and a retry may succeed. */
export const isUnreachable = (error: unknown): boolean => error instanceof BucketFailed && error.isDown === true

/** Checks the store, and retries while it is unreachable. `onOutage` receives the reason after each attempt. */
export const awaitStore = (settings: Record<string, string>, onOutage: (reason: string) => Effect.Effect<void>) => {
  const silent = Effect.andThen(Effect.sleep(reportAfter), onOutage("The store does not answer. Check the network"))
  return Effect.raceFirst(tryStore(settings), Effect.andThen(silent, Effect.never)).pipe(
    Effect.tapError((error) => (isUnreachable(error) ? onOutage(error.message) : Effect.void)),
    Effect.retry({ while: isUnreachable, schedule: Schedule.spaced(againAfter) })
  )
}

const lookEvery = "5 seconds"
const answersWithin = "10 seconds"

/** A worker releases its work after this many failed checks of the store: within half a minute. */
const maxMissed = 2

/** Max difference between this clock and the store's. */
const slackMillis = 30_000

/**
 * Runs a worker's steps while the store answers. When it stops answering, `onLost` gets the reason and other workers
 * continue. Steps use the store's time if this machine's clock is wrong.
 */
export const whileStoreAnswers = Effect.fnUntraced(function* (
  settings: Record<string, string>,
  onLost: (reason: string) => Effect.Effect<never>
) {
  const store = yield* openBucketStore(settings)
  let steps = 0
  const look = store
    .read(anyLakeKey)
    .pipe(
      Effect.timeoutOrElse({ duration: answersWithin, orElse: () => Effect.fail(noAnswer(store.urlOf(anyLakeKey))) })
    )
  /** The difference of this machine's clock to the store's; negative if behind. */
  const aheadMillis = Effect.map(Clock.currentTimeMillis, (now) => {
    const time = store.clock.at(monotonicMillis())
    if (time === null) return 0
    return now > time.latest ? now - time.latest : Math.min(0, now - time.earliest)
  })
  const during = <A, E, R>(step: Effect.Effect<A, E, R>): Effect.Effect<A, E, R> =>
    Effect.gen(function* () {
      yield* look.pipe(Effect.catch(({ message }) => onLost(message)))
      const ahead = yield* aheadMillis
      if (Math.abs(ahead) < slackMillis) return yield* step
      return yield* showing((yield* Clock.currentTimeMillis) - ahead)(step)
    }).pipe(
      Effect.ensuring(
        Effect.sync(() => {
          steps--
        })
      ),
      (counted) =>
        Effect.suspend(() => {
          steps++
          return counted
        })
    )
  let missed = 0
  const looked = Effect.gen(function* () {
    yield* Effect.sleep(lookEvery)
    if (steps === 0) return
    const found = yield* Effect.result(look)
    missed = found._tag === "Success" ? 0 : missed + 1
    if (found._tag === "Failure" && missed >= maxMissed) return yield* onLost(found.failure.message)
  })
  /** Ends the worker if the store caused a step's failure: another worker may still reach it. */
  const leaveIfUnfit = Effect.fnUntraced(function* (error: unknown) {
    if (!(error instanceof BucketFailed || error instanceof BucketUnfit)) return
    if (isUnreachable(error)) return yield* onLost(error.message)
    const tried = yield* Effect.result(tryStore(settings))
    if (tried._tag === "Failure") return yield* onLost(tried.failure.message)
  })
  return {
    aheadMillis: Effect.andThen(Effect.ignore(look), aheadMillis),
    during,
    leaving: leaveIfUnfit,
    watching: Effect.forever(looked)
  }
})

const noAnswer = (url: string) =>
  new BucketFailed({ step: `Read ${url}`, reason: "no answer", next: "Check the network", isDown: true })
