import { Context, Effect, Schedule } from "effect"
import { monotonicMillis } from "../../../feed/disk/monotonicMillis.ts"
import { BucketFailed } from "./BucketFailed.ts"

/** The maximum wait for an unreachable store, in milliseconds. It is a reference, so that tests can be quick. */
export const StorePatience = Context.Reference<number>("cardlake/home/StorePatience", { defaultValue: () => 120_000 })

/** The time without an answer after which users are informed; a failed request informs them immediately. */
const reportAfterMillis = 10_000
const againMillis = 5_000

const isDown = (error: unknown): boolean => error instanceof BucketFailed && error.isDown === true

const formatDuration = (millis: number) =>
  millis < 60_000 ? `${millis / 1000} s` : `${Math.round(millis / 60_000)} min`

const outage = (address: string, patienceMillis: number, reason: string) =>
  new BucketFailed({
    step: `Wait for the store of ${address}`,
    reason: `it has not answered for ${formatDuration(patienceMillis)} (${reason})`,
    next: "Published data is safe, and reading resumes from the pages in the bucket. Check AWS_ENDPOINT_URL_S3, the network and the store, then run this again",
    isDown: true
  })

/**
 * The shared wait for a store that has answered before. After it has ended, requests fail immediately until twice the
 * maximum wait has passed.
 */
export const makePatience = (address: string, patienceMillis: number) => {
  /** The start of the first unanswered request; null if the last one was answered. */
  let since: number | null = null
  let isReported = false
  let last = outage(address, patienceMillis, "no answer")
  const isOver = (): boolean => since !== null && monotonicMillis() - since >= patienceMillis

  const answered = Effect.sync(() => {
    since = null
    isReported = false
  })
  const saying = Effect.suspend(() => {
    if (isReported) return Effect.void
    isReported = true
    return Effect.logWarning(`The store of ${address} does not answer. Retrying for ${formatDuration(patienceMillis)}`)
  })
  const silent = Effect.andThen(Effect.andThen(Effect.sleep(reportAfterMillis), saying), Effect.never)

  /** Sends a request, within the maximum wait. An `isLong` request may take any time while it makes progress. */
  const ask = <A, E, R>(request: Effect.Effect<A, E, R>, isLong = false): Effect.Effect<A, E | BucketFailed, R> =>
    Effect.suspend((): Effect.Effect<A, E | BucketFailed, R> => {
      const now = monotonicMillis()
      // After this long, a new wait begins.
      if (since !== null && now - since >= 2 * patienceMillis) since = null
      if (isOver()) return Effect.fail(last)
      const begun = since ?? now
      const failed = (error: E | BucketFailed) => {
        if (!isDown(error)) return answered
        since = begun
        if (error instanceof BucketFailed && error !== last) last = outage(address, patienceMillis, error.reason)
        return saying
      }
      const duration = begun + patienceMillis - now
      const bounded = isLong
        ? request
        : Effect.timeoutOrElse(Effect.raceFirst(request, silent), { duration, orElse: () => Effect.fail(last) })
      return bounded.pipe(Effect.tap(answered), Effect.tapError(failed))
    })

  /** Retries a request while the store is unreachable. */
  const wait = <A, E, R>(request: Effect.Effect<A, E, R>, isLong = false) => {
    const schedule = Schedule.spaced(Math.min(againMillis, patienceMillis / 24))
    const again = { schedule, while: (error: E | BucketFailed) => isDown(error) && !isOver() }
    return Effect.mapError(Effect.retry(ask(request, isLong), again), (error) => (isDown(error) ? last : error))
  }

  return { isOver, ask, wait }
}
