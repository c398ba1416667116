import { scrubbing } from "../../src/night/observe/Observation.ts"
import { Cause, Clock, Duration, Effect, Layer, Option, Runtime, Schedule } from "effect"
import { failedReport, type FleetSteps } from "../../src/night/cluster/FleetSteps.ts"
import { type RunReport, worstOf } from "../../src/night/observe/RunReport.ts"
import { observedNight } from "../night/observedNight.ts"
import { reasonOf } from "../night/withExport.ts"
import { marketplaceServices } from "../settings/services.ts"
import type { BucketStore } from "../../src/store/home/bucket/BucketStore.ts"
import type { NightId } from "../../src/store/home/bucket/nights/nightId.ts"
import { runPublish } from "../../src/night/cluster/steps/runPublish.ts"
import { isTaken, nightInPart, wordOfPart } from "../night/nightInPart.ts"
import { planOfFleet } from "./planOfFleet.ts"
import { storeOf, whileStoreAnswers } from "./fleetStore.ts"

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

type Tell = (sentence: string) => Effect.Effect<void>
interface Fleet {
  readonly settings: Record<string, string>
  readonly tell: Tell
}
const nothing = { prometheus: Option.none(), notify: Option.none(), exportTo: Option.none() }

/** Says how each game ended. A new snapshot waits in the bucket until all games are published together. */
const tellEnd = (tell: Tell, gameId: string, { games, seconds }: Pick<RunReport, "games" | "seconds">) =>
  Effect.forEach(games, ({ reason, verdict }) =>
    tell(`${gameId}: ${wordOfPart(verdict)} in ${seconds.toFixed(1)} s${reason === null ? "" : `. ${reason}`}`)
  )
/** One game of a night, read and stored. */
const onePart = ({ settings, tell }: Fleet, night: NightId, gameId: string) =>
  nightInPart(settings, { night, games: [gameId], index: Option.none(), exportTo: Option.none() }, (gameId) =>
    Effect.andThen(tell(`${gameId}: reading`), observedNight({ games: [gameId], partOf: night, settings, ...nothing }))
  ).pipe(
    Effect.tap((part) => (part.done === "before" ? tell(`${gameId}: read for ${night} already`) : Effect.void)),
    Effect.tap((part) => (part.done === "now" ? tellEnd(tell, gameId, part) : Effect.void)),
    Effect.flatMap((report) =>
      report.run === null ? Effect.map(failedReport(null, report.reason), unchanged) : Effect.succeed(report)
    )
  )

/** What a worker does of a night: the same as `plan`, `nightly --part-of` and `publish` do. */
export const fleetSteps = Effect.fnUntraced(function* (
  settings: Record<string, string>,
  tell: Tell,
  onLost: (reason: string) => Effect.Effect<never>
) {
  const scrub = yield* scrubbing
  const store = yield* whileStoreAnswers(settings, (reason) => onLost(scrub(reason)))
  const context = yield* Effect.context<Effect.Services<ReturnType<typeof observedNight>>>()
  const reading = new Set<string>()
  const orFailed = (gameId: string | null) =>
    Effect.fnUntraced(function* (cause: Cause.Cause<unknown>) {
      if (Cause.hasInterruptsOnly(cause)) return yield* Effect.interrupt
      const error = Cause.squash(cause)
      yield* store.leaving(error)
      return yield* failedReport(gameId, scrub(reasonOf(cause)), Runtime.getErrorExitCode(error))
    })
  const inBucket = <A, E, R>(run: (store: BucketStore) => Effect.Effect<A, E, R>) =>
    Effect.scoped(Effect.flatMap(storeOf(settings), run))
  const steps = {
    plan: (games) =>
      inBucket((store) =>
        Effect.flatMap(Layer.build(marketplaceServices(settings)), (services) =>
          Effect.provideContext(planOfFleet(store, games), services)
        )
      ).pipe(
        Effect.scoped,
        Effect.tap(({ games, night }) => tell(`Night ${night}: ${games.join(", ")}`)),
        store.during,
        Effect.catchCause((cause) => Effect.flatMap(orFailed(null)(cause), Effect.fail)),
        Effect.provideContext(context)
      ),
    read: (night, gameId) =>
      Effect.sync(() => reading.add(gameId)).pipe(
        Effect.andThen(Effect.retry(onePart({ settings, tell }, night, gameId), { while: isTaken, times: 3 })),
        store.during,
        Effect.catchCause((cause) => Effect.tap(orFailed(gameId)(cause), (report) => tellEnd(tell, gameId, report))),
        Effect.ensuring(Effect.sync(() => reading.delete(gameId))),
        Effect.provideContext(context)
      ),
    publish: (night, reports) =>
      inBucket((store) => runPublish(store, night, Duration.zero)).pipe(
        Effect.retry({ times: 5, schedule: Schedule.exponential("1 second") }),
        Effect.tap(({ games }) => tell(`Night ${night}: ${games.filter(({ isNew }) => isNew).length} games published`)),
        Effect.andThen(Clock.currentTimeMillis),
        Effect.flatMap((endedMillis) => {
          const all = together(reports, endedMillis)
          return all === null ? failedReport(null, "The marketplace lists no games") : Effect.succeed(all)
        }),
        store.during,
        Effect.catchCause(orFailed(null)),
        Effect.provideContext(context)
      )
  } satisfies FleetSteps
  return { steps, reading, aheadMillis: store.aheadMillis, watching: store.watching }
})

/** Nothing was read, as another night was faster. */
const unchanged = (report: RunReport): RunReport => ({ ...report, verdict: "unchanged" })
