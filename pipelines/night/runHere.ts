import { Cause, Clock, Config, type Context, DateTime, Effect, Exit, type Redacted, Runtime } from "effect"
import { watchHits } from "../../src/desk/own/Watchlist.ts"
import { scrubbed } from "../../src/feed/client/scrub.ts"
import type { LakeError } from "../../src/feed/reading/LakeError.ts"
import { oneNight, correctNight } from "../../src/night/cluster/steps/correctNight.ts"
import type { NightOutcome, NightReport } from "../../src/night/observe/NightOutcome.ts"
import type { NightProgress } from "../../src/night/observe/watchGame.ts"
import { scrubbing, nightWarning } from "../../src/night/observe/Observation.ts"
import { exitCodeOfNight, type RunReport } from "../../src/night/observe/RunReport.ts"
import { heldGames } from "../../src/night/observe/heldGames.ts"
import { nightJob, nightLineage, withLineage } from "../../src/night/observe/lineage/withLineage.ts"
import type { LogForm } from "../../src/night/observe/nightLog.ts"
import { unreadReport } from "../../src/night/run/commitRun.ts"
import { runNight } from "../../src/night/run/runNight.ts"
import type { NightId } from "../../src/store/home/bucket/nights/nightId.ts"
import type { Work } from "../../src/store/home/bucket/workInBucket.ts"
import { inHome, readNeeds } from "../flags/inHome.ts"
import { boundsOfOthers, settingsDoubts } from "../settings/examineSettings.ts"
import { allServices } from "../settings/marketServices.ts"
import { homeService } from "../settings/services.ts"
import { readSchedule } from "../settings/readSchedule.ts"
import { readSetting, settingsProvider } from "../settings/settingsProvider.ts"
import { formatFailure, logOutcome, type Receivers, sendOutcome } from "./sendOutcome.ts"
import type { NightServices } from "./withExport.ts"

export interface RunOptions extends Receivers {
  /** Empty selects every game. */
  readonly games: ReadonlyArray<string>
  /** Flags as the variables that they override. */
  readonly settings: Record<string, string>
  /** The night in parts and the number of the game in its plan (`index`). Null publishes what is read. */
  readonly part: { readonly night: NightId; readonly index: number | null } | null
  /** The Postgres of the fleet that runs the night. Null runs it on this machine. */
  readonly cluster: Redacted.Redacted | null
  readonly log: LogForm
  /** The drop to update after the publication. */
  readonly exportTo: string | null
  /** True publishes nothing and notifies nobody. Absent means false. */
  readonly isDryRun?: boolean
  /** The file for the report. Absent if none is wanted. */
  readonly reportTo?: string | undefined
  /** Progress display. Absent if there is none. */
  readonly show?: { readonly onProgress: NightProgress; readonly stop: () => void }
  /** Receives the report of a night that could not be stored in its bucket, before the run fails. */
  readonly onUnstored?: (report: RunReport) => void
}

interface ReadNight {
  readonly report: RunReport
  readonly services: Context.Context<NightServices>
}

/** The work of a night. It starts from the newest state of its games. Another runner's equal results are reused. */
const nightWork = ({ games, isDryRun = false, part }: RunOptions): Work<ReadNight, LakeError, never> => {
  const findVerdict = ({ report }: ReadNight, gameId: string) =>
    report.games.find((game) => game.gameId === gameId)?.verdict ?? report.verdict
  return {
    need: { games: games.length === 0 ? null : games, of: "newest", folders: "night", runs: "recent" },
    ...(isDryRun ? {} : { isFirst: true as const }),
    writes: {
      kind: "night",
      ...(part === null ? {} : { part: { night: part.night, verdictOf: findVerdict } }),
      ...(isDryRun ? { publishes: false as const } : {}),
      again: "lost",
      settle: (root, done, overtaken) =>
        Effect.map(correctNight(root, done.report, overtaken), (report) => ({ ...done, report })),
      together: (first, second) => ({ ...second, report: oneNight(first.report, second.report) })
    }
  }
}

/** Returns the report of a night that could not be stored in its bucket: none of its games is published. */
const unstoredReport = (report: RunReport, reason: string): RunReport => ({
  ...report,
  verdict: "failed",
  reason,
  games: report.games.map((game) =>
    game.verdict === "failed"
      ? game
      : unreadReport({
          gameId: game.gameId,
          verdict: "failed",
          reason: "It was read, but could not be stored in the bucket. Run it again: cardlake nightly",
          snapshot: game.verdict === "published" ? null : game.snapshot,
          seconds: game.seconds
        })
  )
})

const readNight = Effect.fnUntraced(function* (options: RunOptions, onUnstored: (report: RunReport) => void) {
  const { games, isDryRun = false, settings, show } = options
  const scrub = yield* scrubbing
  // A part of a night publishes nothing.
  const rates = options.part === null ? yield* readSetting(settings, "CARDLAKE_FX") : null
  let read: RunReport | null = null
  const done = yield* inHome(settings, { work: nightWork(options), services: allServices }, (again) =>
    Effect.gen(function* () {
      read = yield* runNight(again ?? games, (event) => show?.onProgress(scrubbed(scrub, event)), { rates, isDryRun })
      return { services: yield* Effect.context<NightServices>(), report: read }
    })
  ).pipe(
    Effect.tapError((error) =>
      Effect.sync(() => {
        if (read !== null && isUnreachable(error)) onUnstored(unstoredReport(read, scrub(error.message)))
      })
    )
  )
  const doubts = games.length > 0 ? [] : yield* boundsOfOthers(done.report.games.map(({ gameId }) => gameId))
  for (const doubt of doubts) yield* nightWarning("settings", doubt)
  return done
})

/** Adds prices that newly reached a bound of the watchlist. Failures do not fail the night. */
const withWatch = (report: NightReport) =>
  Effect.matchEffect(watchHits(), {
    onSuccess: (prices): Effect.Effect<NightReport> => {
      const hits = prices.filter((price) => price["is_new"] === true)
      return Effect.succeed(hits.length === 0 ? report : { ...report, watchHits: hits })
    },
    // No lake exists before the first night.
    onFailure: (error) =>
      error._tag === "NoLake"
        ? Effect.succeed(report)
        : Effect.as(nightWarning("watch", `The watchlist could not be read: ${error.message}`), report)
  })

/** Writes the report file. Failures do not fail the night. */
const leaveReport = (file: string) =>
  Effect.promise(() => import("./writeReport.ts")).pipe(
    Effect.flatMap(({ writeReport }) => writeReport(file, null)),
    Effect.catch(({ message }) => nightWarning("report", `The report was not written to ${file}: ${message}`))
  )

/** Updates the drop. Other nights do not load the code of exports. */
const exportNight = Effect.fnUntraced(function* (settings: RunOptions["settings"], night: ReadNight, to: string) {
  const { exporting } = yield* Effect.promise(() => import("./withExport.ts"))
  return yield* exporting(settings, night, to)
})

const afterNight = Effect.fnUntraced(function* ({ exportTo, reportTo, settings }: RunOptions, night: ReadNight) {
  const report = exportTo === null ? night.report : yield* exportNight(settings, night, exportTo)
  const reported = Effect.tap(withWatch(report), () => (reportTo === undefined ? Effect.void : leaveReport(reportTo)))
  return yield* Effect.provideContext(reported, night.services)
})

const isUnreachable = (error: unknown): boolean => error instanceof Error && "isDown" in error && error.isDown === true

/** The held games, also after a failed night or unread by it; empty if the home cannot be read. */
const heldNow = (settings: Record<string, string>) =>
  inHome(settings, { work: readNeeds("all"), services: homeService }, () => heldGames).pipe(
    Effect.match({ onSuccess: (held) => ({ held }), onFailure: () => ({}) }),
    Effect.scoped
  )

/** Returns the marketplace's address without path and user; null if it is not set, which the night reports. */
const marketplaceOrigin = (settings: Record<string, string>) =>
  Effect.flatMap(settingsProvider(settings), (provider) => Config.URL("CARDLAKE_URL").parse(provider)).pipe(
    Effect.map(({ origin }) => origin as string | null),
    Effect.orElseSucceed(() => null)
  )

/** Runs a night and reports its outcome to all receivers, even if no game was read; not if interrupted. */
export const runHere = Effect.fn("night")(function* (options: RunOptions) {
  const { settings } = options
  const scrub = yield* scrubbing
  const startedMillis = yield* Clock.currentTimeMillis
  const startedAt = DateTime.formatIso(yield* DateTime.now)
  const wrongTimes = (yield* readSchedule(settings)).faults.map(({ message }) => message)
  for (const doubt of [...(yield* settingsDoubts(settings)), ...wrongTimes]) yield* nightWarning("settings", doubt)
  const marketplace = yield* marketplaceOrigin(settings)
  let unstored: RunReport | null = null
  const night = readNight(options, (report) => {
    unstored = report
    options.onUnstored?.(report)
  })
  const watched =
    options.isDryRun === true
      ? night
      : withLineage(nightJob, night, ({ report, services }) =>
          Effect.provideContext(nightLineage(report, marketplace), services)
        )
  const exit = yield* watched.pipe(
    Effect.flatMap((done) => (options.isDryRun === true ? Effect.succeed(done.report) : afterNight(options, done))),
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
        report: unstored ?? {
          ...failed,
          run: null,
          verdict: "failed",
          games: [],
          reason: scrub(formatFailure(exit.cause)),
          ...(options.isDryRun === true ? { dryRun: true } : {})
        },
        exitCode: Runtime.getErrorExitCode(Cause.squash(exit.cause)),
        endedMillis
      }
  yield* logOutcome(outcome)
  const isKnown = Exit.isSuccess(exit) || !isUnreachable(Cause.squash(exit.cause))
  yield* sendOutcome(outcome, options, isKnown ? heldNow(settings) : undefined)
  return yield* exit
})
