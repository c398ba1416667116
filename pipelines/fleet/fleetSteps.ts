import { Cause, Clock, Console, Duration, Effect, Layer, Option, Schedule } from "effect"
import { Scrub } from "../../src/client/scrub.ts"
import { failedReport, type FleetSteps } from "../../src/fleet/FleetSteps.ts"
import { type RunReport, worstOf } from "../../src/observe/RunReport.ts"
import { observedNight } from "../night/observedNight.ts"
import { reasonOf } from "../night/reasonOf.ts"
import { bucketOfSteps } from "../flags/stepFlags.ts"
import { bucketServices, marketplaceServices } from "../settings/services.ts"
import { type BucketStore, openStore } from "../../src/home/bucket/BucketStore.ts"
import type { NightId } from "../../src/home/bucket/nightId.ts"
import { runPlanId } from "../../src/run/bucket/runPlan.ts"
import { runPublish } from "../../src/run/bucket/runPublish.ts"
import { GameUnknown } from "../../src/run/gamesOfNight.ts"
import { isTaken, nightInPart } from "../night/nightInPart.ts"

/** What the games of a night say together. They were read at the same time, by several workers. */
const together = (reports: ReadonlyArray<RunReport>, endedMillis: number): RunReport | null => {
  const [first, ...others] = reports.toSorted((a, b) => (a.startedAt < b.startedAt ? -1 : 1))
  if (first === undefined) return null
  const all = [first, ...others]
  const games = all.flatMap(({ games }) => games).toSorted((a, b) => (a.gameId < b.gameId ? -1 : 1))
  const sum = (of: (report: RunReport) => number | undefined) => all.reduce((sum, one) => sum + (of(one) ?? 0), 0)
  return {
    ...first,
    seconds: (endedMillis - Date.parse(first.startedAt)) / 1000,
    requests: sum(({ requests }) => requests),
    retried: sum(({ retried }) => retried),
    games,
    verdict: worstOf(games)
  }
}

/** What a worker does of a night: the same as `plan`, `nightly --part-of` and `publish` do. */
export const fleetSteps = Effect.fnUntraced(function* (settings: Record<string, string>, isText: boolean) {
  const scrub = yield* Scrub
  const context = yield* Effect.context<Effect.Services<ReturnType<typeof observedNight>>>()
  const show = { onProgress: () => {}, stop: () => {} }
  const nothing = { prometheus: Option.none(), notify: Option.none(), exportTo: Option.none() }
  const told = (sentence: string) => (isText ? Console.error(sentence) : Effect.void)
  const orFailed = (gameId: string | null) => (cause: Cause.Cause<unknown>) =>
    Cause.hasInterruptsOnly(cause) ? Effect.interrupt : failedReport(gameId, scrub(reasonOf(cause)))
  const inBucket = <A, E, R>(run: (store: BucketStore) => Effect.Effect<A, E, R>) =>
    Effect.gen(function* () {
      const services = yield* Layer.build(bucketServices(settings))
      return yield* run(yield* Effect.provideContext(openStore(yield* bucketOfSteps(settings)), services))
    }).pipe(Effect.scoped)
  const onePart = (night: NightId, gameId: string) =>
    nightInPart(settings, { night, games: [gameId], index: Option.none(), exportTo: Option.none() }, (gameId) =>
      observedNight({ games: [gameId], partOf: night, settings, show, ...nothing })
    ).pipe(
      Effect.flatMap((report) =>
        report.run === null ? Effect.map(failedReport(null, report.reason), unchanged) : Effect.succeed(report)
      )
    )

  return {
    plan: (games) =>
      inBucket((store) =>
        Effect.flatMap(Layer.build(marketplaceServices(settings)), (services) =>
          Effect.provideContext(runPlanId(store), services)
        )
      ).pipe(
        Effect.scoped,
        Effect.flatMap(({ games: planned, night }) => {
          const unknown = games.filter((gameId) => !planned.includes(gameId))
          return unknown.length > 0
            ? Effect.fail(new GameUnknown({ wanted: unknown, offered: planned, kept: [] }))
            : Effect.succeed({ night, games: planned.filter((gameId) => games.length === 0 || games.includes(gameId)) })
        }),
        Effect.tap(({ games, night }) => told(`Night ${night}: ${games.join(", ")}`)),
        Effect.provideContext(context),
        Effect.catchCause((cause) => Effect.flatMap(orFailed(null)(cause), Effect.fail))
      ),
    read: (night, gameId) =>
      told(`${gameId}: reading`).pipe(
        Effect.andThen(Effect.retry(onePart(night, gameId), { while: isTaken, times: 3 })),
        Effect.catchCause(orFailed(gameId)),
        Effect.tap(({ games, seconds }) =>
          Effect.forEach(games, ({ reason, verdict }) =>
            told(`${gameId}: ${verdict} in ${seconds.toFixed(1)} s${reason === null ? "" : `. ${reason}`}`)
          )
        ),
        Effect.provideContext(context)
      ),
    publish: (night, reports) =>
      inBucket((store) => runPublish(store, night, Duration.zero)).pipe(
        Effect.retry({ times: 5, schedule: Schedule.exponential("1 second") }),
        Effect.tap(({ games }) => told(`Night ${night}: ${games.filter(({ isNew }) => isNew).length} games published`)),
        Effect.andThen(Clock.currentTimeMillis),
        Effect.flatMap((endedMillis) => {
          const all = together(reports, endedMillis)
          return all === null ? failedReport(null, "The marketplace lists no games") : Effect.succeed(all)
        }),
        Effect.provideContext(context),
        Effect.catchCause(orFailed(null))
      )
  } satisfies FleetSteps
})

/** Nothing was read, as another night was faster. */
const unchanged = (report: RunReport): RunReport => ({ ...report, verdict: "unchanged" })
