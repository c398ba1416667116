import { scrubbing } from "../../src/night/observe/Observation.ts"
import { Cause, Clock, Config, DateTime, Effect, Exit, Layer, Option, Runtime, type Redacted } from "effect"
import { scrubbed } from "../../src/feed/client/scrub.ts"
import type { NightId } from "../../src/store/home/bucket/nights/nightId.ts"
import { heldGames } from "../../src/night/observe/heldGames.ts"
import { nightEvent, nightWarning } from "../../src/night/observe/nightEvent.ts"
import type { NightOutcome, NightReport } from "../../src/night/observe/NightOutcome.ts"
import type { NightProgress } from "../../src/night/observe/NightProgress.ts"
import { exitCodeOfNight, type RunReport } from "../../src/night/observe/RunReport.ts"
import { nightJob, nightLineage } from "../../src/night/observe/lineage/nightLineage.ts"
import { withLineage } from "../../src/night/observe/lineage/withLineage.ts"
import { runNight } from "../../src/night/run/runNight.ts"
import { Printing } from "../print/hints.ts"
import { hintedJson } from "../print/printAnswer.ts"
import { nightWork, unstoredReport } from "./nightWork.ts"
import { reasonOf, exporting, type NightServices } from "./withExport.ts"
import { reading } from "../flags/inLake.ts"
import { inHome } from "../flags/inHome.ts"
import { allServices, homeService } from "../settings/services.ts"
import { settingsProvider } from "../settings/settingsProvider.ts"
import { watchHits } from "../../src/desk/own/Watchlist.ts"
import { boundsOfOthers, settingsDoubts } from "../settings/examineSettings.ts"

/** A night's report with what has newly reached a bound of the watchlist. The night never fails because of it. */
const withWatch = (report: NightReport) =>
  Effect.matchEffect(watchHits(), {
    onSuccess: (prices): Effect.Effect<NightReport> => {
      const hits = prices.filter((price) => price["is_new"] === true)
      return Effect.succeed(hits.length === 0 ? report : { ...report, watchHits: hits })
    },
    // Before the first night there is no lake to look at.
    onFailure: (error) =>
      error._tag === "NoLake"
        ? Effect.succeed(report)
        : Effect.as(nightWarning("watch", `The watchlist could not be looked at: ${error.message}`), report)
  })

export interface NightOptions {
  /** None: every game. */
  readonly games: ReadonlyArray<string>
  /** The night that its game is a part of. Absent: it is published at once. */
  readonly partOf?: NightId
  /** Flags as the variables they stand for. */
  readonly settings: Record<string, string>
  /** Absent: nobody watches it. */
  readonly show?: { readonly onProgress: NightProgress; readonly stop: () => void }
  readonly prometheus: Option.Option<string>
  readonly notify: Option.Option<Redacted.Redacted>
  /** Where a drop is brought up to date after the publication. */
  readonly exportTo: Option.Option<string>
  /** Where the report of the morning is written after it. Absent = nowhere. */
  readonly reportTo?: string | undefined
  /** Hears of a night that was read and could not be put into its bucket, before it fails. */
  readonly onUnstored?: (report: RunReport) => void
}

/** Reads a night into its home, wherever that is. */
const readNight = Effect.fnUntraced(function* (
  { games, partOf, settings, show }: NightOptions,
  onUnstored: (report: RunReport) => void
) {
  const scrub = yield* scrubbing
  let read: RunReport | null = null
  const done = yield* inHome(settings, nightWork<NightServices>(games, partOf), (settings, again, place) =>
    Effect.gen(function* () {
      const services = yield* Layer.build(allServices(settings, place))
      const night = runNight(again ?? games, (event) => show?.onProgress(scrubbed(scrub, event)))
      read = yield* Effect.provideContext(night, services)
      return { services, report: read }
    })
  ).pipe(
    Effect.tapError((error) =>
      Effect.sync(() => {
        if (read !== null && isAway(error)) onUnstored(unstoredReport(read, scrub(error.message)))
      })
    )
  )
  const doubts = games.length > 0 ? [] : yield* boundsOfOthers(done.report.games.map(({ gameId }) => gameId))
  for (const doubt of doubts) yield* nightWarning("settings", doubt)
  return done
})

/** Does what follows a night: the export, a look at the watchlist, the report of the morning. */
const afterNight = Effect.fnUntraced(function* (
  { exportTo, reportTo, settings }: NightOptions,
  night: Effect.Success<ReturnType<typeof readNight>>
) {
  const report = Option.isNone(exportTo) ? night.report : yield* exporting(settings, night, exportTo.value)
  const told = Effect.tap(withWatch(report), () => (reportTo === undefined ? Effect.void : leaveReport(reportTo)))
  return yield* Effect.provideContext(told, night.services)
})

/**
 * A night that reports how it ended, even if no game was read: with an event, a Prometheus file, a notification.
 * Returns what the night returned. An interrupted night reports nothing.
 */
export const observedNight = Effect.fn("night")(function* (options: NightOptions) {
  const { notify, prometheus, settings } = options
  const scrub = yield* scrubbing
  const startedMillis = yield* Clock.currentTimeMillis
  const startedAt = DateTime.formatIso(yield* DateTime.now)
  for (const doubt of yield* settingsDoubts(settings)) yield* nightWarning("settings", doubt)
  const marketplace = yield* marketplaceOrigin(settings)
  let unstored: RunReport | null = null
  const night = readNight(options, (report) => {
    unstored = report
    options.onUnstored?.(report)
  })
  const exit = yield* withLineage(nightJob, night, ({ report, services }) =>
    Effect.provideContext(nightLineage(report, marketplace), services)
  ).pipe(
    Effect.flatMap((done) => afterNight(options, done)),
    Effect.scoped,
    Effect.ensuring(Effect.sync(() => options.show?.stop())),
    Effect.exit
  )
  if (Exit.isFailure(exit) && Cause.hasInterruptsOnly(exit.cause)) return yield* exit
  const endedMillis = yield* Clock.currentTimeMillis
  const failed = { startedAt, seconds: (endedMillis - startedMillis) / 1000 }
  const outcome: NightOutcome = Exit.isSuccess(exit)
    ? { report: exit.value, exitCode: exitCodeOfNight(exit.value), endedMillis }
    : {
        report: unstored ?? { ...failed, run: null, verdict: "failed", games: [], reason: scrub(reasonOf(exit.cause)) },
        exitCode: Runtime.getErrorExitCode(Cause.squash(exit.cause)),
        endedMillis
      }
  yield* tellOutcome(outcome)
  const isKnown = Exit.isSuccess(exit) || !isAway(Cause.squash(exit.cause))
  yield* sendOutcome(outcome, { notify, prometheus }, isKnown ? heldNow(settings) : Effect.succeed({}))
  return yield* exit
})

/** Writes the figures of the night and posts its report, where that is wanted. `held`: what the home holds back. */
const sendOutcome = Effect.fnUntraced(function* (
  outcome: NightOutcome,
  { notify, prometheus }: Pick<NightOptions, "notify" | "prometheus">,
  held: ReturnType<typeof heldNow> | Effect.Effect<object>
) {
  if (Option.isSome(prometheus)) {
    const { writePrometheus } = yield* Effect.promise(() => import("../../src/night/observe/writePrometheus.ts"))
    yield* writePrometheus(prometheus.value, { ...outcome, ...(yield* held) })
  }
  if (Option.isSome(notify)) {
    const { postReport } = yield* Effect.promise(() => import("../../src/night/observe/postJson.ts"))
    const report = JSON.parse(hintedJson(outcome.report, (yield* Printing).hintInJson)) as NightOutcome["report"]
    yield* postReport(notify.value, { ...outcome, report })
  }
})

/** The report of the morning. The night never fails because of it. */
const leaveReport = (file: string) =>
  Effect.promise(() => import("./writeReport.ts")).pipe(
    Effect.flatMap(({ writeReport }) => writeReport(file, null)),
    Effect.catch(({ message }) => nightWarning("report", `The report was not written to ${file}: ${message}`))
  )

/** Whether the store of its bucket does not answer. */
const isAway = (error: unknown): boolean => error instanceof Error && "isAway" in error && error.isAway === true

/** What the home holds back, also after a night that failed or read other games; nothing if the home cannot be read. */
const heldNow = (settings: Record<string, string>) =>
  inHome(settings, reading("all"), (settings, _, place) =>
    Effect.flatMap(Layer.build(homeService(settings, place)), (home) => Effect.provideContext(heldGames, home))
  ).pipe(Effect.match({ onSuccess: (held) => ({ held }), onFailure: () => ({}) }), Effect.scoped)

/** Without a path or a user; null if it is not set, which the night itself reports. */
const marketplaceOrigin = (settings: Record<string, string>) =>
  Effect.flatMap(settingsProvider(settings), (provider) => Config.URL("CARDLAKE_URL").parse(provider)).pipe(
    Effect.map(({ origin }) => origin as string | null),
    Effect.orElseSucceed(() => null)
  )

const tellOutcome = Effect.fnUntraced(function* ({ exitCode, report }: NightOutcome) {
  const { run, seconds, verdict } = report
  yield* Effect.annotateCurrentSpan({ "cardlake.run": run, "cardlake.verdict": verdict })
  const reason = "reason" in report ? { reason: report.reason } : {}
  yield* nightEvent(
    "verdict",
    { ...(run === null ? {} : { run }), verdict, seconds, exitCode, games: report.games.length, ...reason },
    exitCode === 0 ? "Info" : "Error"
  )
})
