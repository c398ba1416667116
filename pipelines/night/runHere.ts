import { Cause, Clock, Config, type Context, DateTime, Effect, Exit, type Redacted, Runtime } from "effect"
import { watchHits } from "../../src/desk/own/Watchlist.ts"
import { scrubbed } from "../../src/feed/client/scrub.ts"
import type { LakeError } from "../../src/feed/reading/LakeError.ts"
import { oneNight, settleNight } from "../../src/night/cluster/steps/settleNight.ts"
import type { NightOutcome, NightReport } from "../../src/night/observe/NightOutcome.ts"
import type { NightProgress } from "../../src/night/observe/NightProgress.ts"
import { scrubbing } from "../../src/night/observe/Observation.ts"
import { exitCodeOfNight, type RunReport } from "../../src/night/observe/RunReport.ts"
import { heldGames } from "../../src/night/observe/heldGames.ts"
import { nightJob, nightLineage } from "../../src/night/observe/lineage/nightLineage.ts"
import { withLineage } from "../../src/night/observe/lineage/withLineage.ts"
import { nightWarning } from "../../src/night/observe/nightEvent.ts"
import type { LogForm } from "../../src/night/observe/nightLog.ts"
import { unreadReport } from "../../src/night/run/gameReport.ts"
import { runNight } from "../../src/night/run/runNight.ts"
import type { NightId } from "../../src/store/home/bucket/nights/nightId.ts"
import type { Work } from "../../src/store/home/bucket/workInBucket.ts"
import { inHome, reading } from "../flags/inHome.ts"
import { boundsOfOthers, settingsDoubts } from "../settings/examineSettings.ts"
import { allServices, homeService } from "../settings/services.ts"
import { settingsProvider } from "../settings/settingsProvider.ts"
import { logOutcome, type Receivers, sendOutcome } from "./sendOutcome.ts"
import { exporting, type NightServices, reasonOf } from "./withExport.ts"
import { writeReport } from "./writeReport.ts"

/** What a run is asked to do. */
export interface AskedRun extends Receivers {
  /** None: every game. */
  readonly games: ReadonlyArray<string>
  /** Flags as the variables they stand for. */
  readonly settings: Record<string, string>
  /** The night of which it reads one game. `index`: the number of that game in the plan. Null: it publishes what it reads. */
  readonly part: { readonly night: NightId; readonly index: number | null } | null
  /** The Postgres of the fleet that does it. Null: this machine does it. */
  readonly cluster: Redacted.Redacted | null
  readonly log: LogForm
  /** Where a drop is brought up to date after the publication. */
  readonly exportTo: string | null
  /** Where the report of the morning is written after it. Absent: nowhere. */
  readonly reportTo?: string | undefined
  /** Absent: nobody watches it. */
  readonly show?: { readonly onProgress: NightProgress; readonly stop: () => void }
  /** Receives the report of a night that was read and could not be put into its bucket, before the run fails. */
  readonly onUnstored?: (report: RunReport) => void
}

interface ReadNight {
  readonly report: RunReport
  readonly services: Context.Context<NightServices>
}

/** A night goes on from the newest state of its games; what it has in common with another runner's is one night. */
const nightWork = ({ games, part }: AskedRun): Work<ReadNight, LakeError, never> => {
  const verdictOf = ({ report }: ReadNight, gameId: string) =>
    report.games.find((game) => game.gameId === gameId)?.verdict ?? report.verdict
  return {
    need: { games: games.length === 0 ? null : games, of: "newest", folders: "night", runs: "recent" },
    isFirst: true,
    writes: {
      kind: "night",
      ...(part === null ? {} : { part: { night: part.night, verdictOf } }),
      again: "lost",
      settle: (root, done, overtaken) =>
        Effect.map(settleNight(root, done.report, overtaken), (report) => ({ ...done, report })),
      together: (first, second) => ({ ...second, report: oneNight(first.report, second.report) })
    }
  }
}

/** The report of a night that was read and could not be put into its bucket: none of its games is published. */
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
          reason: "It was read, and could not be put into the bucket. Run it again: cardlake nightly",
          snapshot: game.verdict === "published" ? null : game.snapshot,
          seconds: game.seconds
        })
  )
})

/** Reads a night into its home, wherever that is. */
const readNight = Effect.fnUntraced(function* (asked: AskedRun, onUnstored: (report: RunReport) => void) {
  const { games, settings, show } = asked
  const scrub = yield* scrubbing
  let read: RunReport | null = null
  const done = yield* inHome(settings, { work: nightWork(asked), services: allServices }, (again) =>
    Effect.gen(function* () {
      read = yield* runNight(again ?? games, (event) => show?.onProgress(scrubbed(scrub, event)))
      return { services: yield* Effect.context<NightServices>(), report: read }
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

/** The report of the morning. The night never fails because of it. */
const leaveReport = (file: string) =>
  writeReport(file, null).pipe(
    Effect.catch(({ message }) => nightWarning("report", `The report was not written to ${file}: ${message}`))
  )

/** Does what follows a night: the export, a look at the watchlist, the report of the morning. */
const afterNight = Effect.fnUntraced(function* ({ exportTo, reportTo, settings }: AskedRun, night: ReadNight) {
  const report = exportTo === null ? night.report : yield* exporting(settings, night, exportTo)
  const told = Effect.tap(withWatch(report), () => (reportTo === undefined ? Effect.void : leaveReport(reportTo)))
  return yield* Effect.provideContext(told, night.services)
})

/** Whether the store of its bucket does not answer. */
const isAway = (error: unknown): boolean => error instanceof Error && "isAway" in error && error.isAway === true

/** What the home holds back, also after a night that failed or read other games; nothing if the home cannot be read. */
const heldNow = (settings: Record<string, string>) =>
  inHome(settings, { work: reading("all"), services: homeService }, () => heldGames).pipe(
    Effect.match({ onSuccess: (held) => ({ held }), onFailure: () => ({}) }),
    Effect.scoped
  )

/** Without a path or a user; null if it is not set, which the night itself reports. */
const marketplaceOrigin = (settings: Record<string, string>) =>
  Effect.flatMap(settingsProvider(settings), (provider) => Config.URL("CARDLAKE_URL").parse(provider)).pipe(
    Effect.map(({ origin }) => origin as string | null),
    Effect.orElseSucceed(() => null)
  )

/**
 * A run on this machine that reports how it ended, even if no game was read: with an event, a Prometheus file, a
 * notification. Returns what the night returned. An interrupted night reports nothing.
 */
export const runHere = Effect.fn("night")(function* (asked: AskedRun) {
  const { settings } = asked
  const scrub = yield* scrubbing
  const startedMillis = yield* Clock.currentTimeMillis
  const startedAt = DateTime.formatIso(yield* DateTime.now)
  for (const doubt of yield* settingsDoubts(settings)) yield* nightWarning("settings", doubt)
  const marketplace = yield* marketplaceOrigin(settings)
  let unstored: RunReport | null = null
  const night = readNight(asked, (report) => {
    unstored = report
    asked.onUnstored?.(report)
  })
  const exit = yield* withLineage(nightJob, night, ({ report, services }) =>
    Effect.provideContext(nightLineage(report, marketplace), services)
  ).pipe(
    Effect.flatMap((done) => afterNight(asked, done)),
    Effect.scoped,
    Effect.ensuring(Effect.sync(() => asked.show?.stop())),
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
  yield* logOutcome(outcome)
  const isKnown = Exit.isSuccess(exit) || !isAway(Cause.squash(exit.cause))
  yield* sendOutcome(outcome, asked, isKnown ? heldNow(settings) : undefined)
  return yield* exit
})
