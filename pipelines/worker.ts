import { Cause, Clock, Duration, Effect, Layer, type Redacted, Runtime, Schedule } from "effect"
import { shellWord } from "../src/feed/contract/shellWord.ts"
import { failedReport, FleetNightFailed, type FleetSteps } from "../src/night/cluster/FleetSteps.ts"
import { workForFleet } from "../src/night/cluster/fleet.ts"
import { runPlanId } from "../src/night/cluster/steps/partOfNight.ts"
import { runPublish } from "../src/night/cluster/steps/runPublish.ts"
import { scrubbing } from "../src/night/observe/Observation.ts"
import { type RunReport, worstVerdict } from "../src/night/observe/RunReport.ts"
import type { LogForm } from "../src/night/observe/nightLog.ts"
import { observe } from "../src/night/observe/observe.ts"
import type { BucketStore } from "../src/store/home/bucket/BucketStore.ts"
import type { NightId } from "../src/store/home/bucket/nights/nightId.ts"
import { refreshFrontIn } from "./flags/inHome.ts"
import { toSettings } from "./flags/sharedFlags.ts"
import { failurePolicy, fleetMember, once, sayingStop, tellFleet } from "./fleet/fleetMember.ts"
import { awaitStore, openBucketStore, whileStoreAnswers } from "./fleet/fleetStore.ts"
import { listedGames } from "./fleet/nightOfFleet.ts"
import { isConflict, runPart, wordOfPart } from "./night/run.ts"
import { formatFailure } from "./night/sendOutcome.ts"
import { wrongUsage } from "./print/printAnswer.ts"
import { longLog } from "./print/standardError.ts"
import { marketplaceServices } from "./settings/marketServices.ts"
import { withServices } from "./settings/services.ts"
import type * as specs from "./specs/nights.ts"

/** Returns the open night with the requested games; empty means all. */
const planNight = Effect.fnUntraced(function* (store: BucketStore, named: ReadonlyArray<string>) {
  const { games, night } = yield* runPlanId(store)
  const unplanned = named.filter((gameId) => !games.includes(gameId))
  if (unplanned.length === 0)
    return { night, games: games.filter((gameId) => named.length === 0 || named.includes(gameId)) }
  yield* listedGames(store, unplanned)
  return yield* new FleetNightFailed({
    reason: `Night ${night} was planned without ${unplanned.join(", ")}. Name other games, or find the cause on one machine: cardlake nightly ${unplanned.map(shellWord).join(" ")}`,
    exitCode: 2
  })
})

/** Summarizes the reports of a night's games, which several workers read concurrently. */
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
    verdict: worstVerdict(games)
  }
}

type Tell = (sentence: string) => Effect.Effect<void>
interface Fleet {
  readonly settings: Record<string, string>
  readonly log: LogForm
  readonly tell: Tell
}
const nothing = { prometheus: null, notify: null, exportTo: null }

/** Reports how each game ended. New snapshots wait in the bucket until all games are published together. */
const tellEnd = (tell: Tell, gameId: string, { games, seconds }: Pick<RunReport, "games" | "seconds">) =>
  Effect.forEach(games, ({ reason, verdict }) =>
    tell(`${gameId}: ${wordOfPart(verdict)} in ${seconds.toFixed(1)} s${reason === null ? "" : `. ${reason}`}`)
  )
const onePart = ({ log, settings, tell }: Fleet, night: NightId, gameId: string) =>
  runPart({ games: [gameId], settings, part: { night, index: null }, cluster: null, log, ...nothing }, () =>
    tell(`${gameId}: reading`)
  ).pipe(
    Effect.tap((part) => (part.done === "before" ? tell(`${gameId}: already read for ${night}`) : Effect.void)),
    Effect.tap((part) => (part.done === "now" ? tellEnd(tell, gameId, part) : Effect.void)),
    Effect.flatMap((report) =>
      report.run === null ? Effect.map(failedReport(null, report.reason), unchanged) : Effect.succeed(report)
    )
  )

/** Returns a worker's steps: the same as `plan`, `nightly --part-of` and `publish`. */
const fleetSteps = Effect.fnUntraced(function* (fleet: Fleet, onLost: (reason: string) => Effect.Effect<never>) {
  const { settings, tell } = fleet
  const scrub = yield* scrubbing
  const store = yield* whileStoreAnswers(settings, (reason) => onLost(scrub(reason)))
  const context = yield* Effect.context<Effect.Services<ReturnType<typeof runPart>>>()
  const reading = new Set<string>()
  const orFailed = (gameId: string | null) =>
    Effect.fnUntraced(function* (cause: Cause.Cause<unknown>) {
      if (Cause.hasInterruptsOnly(cause)) return yield* Effect.interrupt
      const error = Cause.squash(cause)
      yield* store.leaving(error)
      return yield* failedReport(gameId, scrub(formatFailure(cause)), Runtime.getErrorExitCode(error))
    })
  const inBucket = <A, E, R>(run: (store: BucketStore) => Effect.Effect<A, E, R>) =>
    Effect.scoped(Effect.flatMap(openBucketStore(settings), run))
  const steps = {
    plan: (games) =>
      inBucket((store) => withServices(marketplaceServices(settings))(planNight(store, games))).pipe(
        Effect.tap(({ games, night }) => tell(`Night ${night}: ${games.join(", ")}`)),
        store.during,
        Effect.catchCause((cause) => Effect.flatMap(orFailed(null)(cause), Effect.fail)),
        Effect.provideContext(context)
      ),
    read: (night, gameId) =>
      Effect.sync(() => reading.add(gameId)).pipe(
        Effect.andThen(Effect.retry(onePart(fleet, night, gameId), { while: isConflict, times: 3 })),
        store.during,
        Effect.catchCause((cause) => Effect.tap(orFailed(gameId)(cause), (report) => tellEnd(tell, gameId, report))),
        Effect.ensuring(Effect.sync(() => reading.delete(gameId))),
        Effect.provideContext(context)
      ),
    publish: (night, reports) =>
      inBucket((store) => runPublish(store, night, Duration.zero)).pipe(
        Effect.retry({ times: 5, schedule: Schedule.exponential("1 second") }),
        Effect.tap(({ games }) => tell(`Night ${night}: ${games.filter(({ isNew }) => isNew).length} games published`)),
        Effect.tap(() => refreshFrontIn(settings)),
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

/** Marks a report as unchanged, because another night was faster. */
const unchanged = (report: RunReport): RunReport => ({ ...report, verdict: "unchanged" })

const minReportedMillis = 30_000

const clockText = (aheadMillis: number): string =>
  `The clock of this machine is ${Math.abs(Math.round(aheadMillis / 1000))} seconds ${aheadMillis > 0 ? "ahead of" : "behind"} the store's. What is read has the store's time; set the clock`

/** Runs a worker. Invalid settings end it immediately; an unreachable store or Postgres is retried. */
const workInFleet = Effect.fnUntraced(function* (
  { atOnce, log, ...input }: typeof specs.worker.Input,
  postgres: Redacted.Redacted
) {
  const settings = toSettings(input)
  const member = yield* fleetMember(settings, postgres, input.name)
  const { home, name } = member
  const tell = tellFleet(log)
  const scrub = yield* scrubbing
  yield* Effect.scoped(Layer.build(marketplaceServices(settings)))
  const policy = yield* failurePolicy("Worker", member, tell)
  const report = (sentence: string) => (log === "text" ? tell("worker", sentence) : Effect.void)
  const work = yield* fleetSteps({ settings, log, tell: report }, policy.onLost)
  yield* sayingStop((signal) => {
    const left = [...work.reading]
    const says = left.length === 0 ? "it had no work" : `another worker continues with ${left.join(", ")}`
    return tell("stop", `Worker ${name} stops: ${signal}; ${says}`, { worker: name, games: left })
  })
  const onOutage = once((reason) => tell("away", `${scrub(reason)}. Worker ${name} waits for the store`))
  yield* awaitStore(settings, onOutage)
  const ready = Effect.gen(function* () {
    const ahead = yield* work.aheadMillis
    if (Math.abs(ahead) >= minReportedMillis) yield* tell("clock", clockText(ahead), { aheadSeconds: ahead / 1000 })
    yield* tell("worker", `Worker ${name} of ${home} waits for nights`, { worker: name, home })
  })
  const context = yield* Effect.context<never>()
  const working = workForFleet(member, {
    ...policy,
    atOnce,
    onReady: Effect.provideContext(ready, context),
    steps: work.steps
  })
  return yield* Effect.raceFirst(working, work.watching)
})

export const worker = Effect.fnUntraced(function* (input: typeof specs.worker.Input) {
  const { cluster, log } = input
  if (cluster === null)
    return yield* wrongUsage(
      "A worker needs the Postgres of its fleet. Name it with --cluster postgres://user:password@host/database, or with CARDLAKE_CLUSTER"
    )
  const logTo = yield* longLog(log, true)
  return yield* observe(logTo, workInFleet(input, cluster))
})
