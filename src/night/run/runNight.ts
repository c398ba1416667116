import { Clock, DateTime, Effect, Semaphore } from "effect"
import { SnapshotId, type RunId } from "../../feed/contract/Ids.ts"
import { Marketplace } from "../../feed/client/Marketplace.ts"
import { boundsOf } from "../../store/diff/judge.ts"
import {
  withBackfills,
  withPublications,
  type Backfilled,
  type Current,
  Home,
  type NewPublication
} from "../../store/home/Home.ts"
import { isThere } from "../../store/home/disk.ts"
import { writeJson } from "../../store/home/jsonFile.ts"
import { dryRunCommand } from "../../store/home/lock/takeLock.ts"
import { sweepRaw } from "../../store/home/setAside.ts"
import { tidyHistory } from "../../store/lake/history/tidyHistory.ts"
import { beginRun, type BegunRun, type LockedRun } from "./beginRun.ts"
import { commitRun, reportRequests, failedGame } from "./commitRun.ts"
import { GameUnknown, gamesOfNight } from "./gamesOfNight.ts"
import { nightEvent, nightWarning, scrubbing } from "../observe/Observation.ts"
import { lastWaitMillis, untilBound } from "./NightSettings.ts"
import { makeNightQueue } from "./readGameVia.ts"
import { type NightProgress, watchGame } from "../observe/watchGame.ts"
import { readGame } from "./readGame.ts"
import { RunReport, type GameReport, type BackfillReport } from "../observe/RunReport.ts"
import { loadNightRates } from "./runFx.ts"
import { compactMonth, monthsToCompact } from "../../store/lake/history/compactMonth.ts"
import { storeBackfill } from "../../store/lake/backfill/storeBackfill.ts"

const nothing = { answers: 0, products: 0, prices: 0, refusedPrices: 0, refusedAnswers: 0 }

/**
 * Loads completed backfills into the history before the lake is published. Returns their reports, and what each game's
 * history gained. A failure is a warning: the answers are kept, and the next night retries.
 */
export const takeInBackfills = Effect.fn("takeInBackfills")(function* (run: RunId, games: ReadonlyArray<string>) {
  const loaded: Array<BackfillReport> = []
  const added = new Map<string, Backfilled>()
  for (const gameId of games) {
    const taken = yield* Effect.result(storeBackfill(run, gameId, false))
    if (taken._tag === "Failure") {
      const { message } = taken.failure
      loaded.push({ gameId, ...nothing, reason: message })
      const sentence = `The backfill of ${gameId} was not loaded; the night continues. ${message}`
      yield* nightWarning("backfill", sentence)
    } else if (taken.success !== null && taken.success.answers > 0) {
      const { days, firstDay, lastDay, ...counts } = taken.success
      loaded.push({ gameId, ...counts, reason: null })
      const { answers, prices, products } = counts
      added.set(gameId, { answers, products, prices, days, firstDay, lastDay })
      yield* nightEvent("backfill", { run, game: gameId, ...counts })
    }
  }
  return { loaded: loaded as ReadonlyArray<BackfillReport>, added }
})

/** Compacts due months before the lake is published. A failure is a warning; the next night retries. */
const compactMonths = Effect.fn("compactMonths")(
  function* (run: RunId, next: Current, games: ReadonlyArray<string>) {
    for (const gameId of games) {
      for (const plan of yield* monthsToCompact(next, gameId)) yield* compactMonth(run, plan)
    }
  },
  Effect.catch((error) => nightWarning("compact", `A month was not compacted; the night continues. ${error.message}`))
)

const tidyMonths = (run: RunId, next: Current) =>
  tidyHistory(run, next).pipe(
    Effect.catch(({ message }) =>
      nightWarning("compact", `Compacted files were not removed; the next run removes them. ${message}`)
    )
  )

/** Concurrent readings, which share one rate budget. */
const gamesAtOnce = 3

export interface NightOptions {
  /** Where the exchange rates are; null does not load any. */
  readonly rates?: string | null
  /** True reads, compares and judges, but stores and publishes nothing: the pages stay for the next night. */
  readonly isDryRun?: boolean
}

/** Leaves a report of a night that failed before its first game, so that people see it later; warns if it cannot. */
const reportFailure = Effect.fnUntraced(function* (locked: LockedRun | null, error: { readonly message: string }) {
  if (locked === null) return yield* warnWithoutReport
  const { run, startedAt, startedMillis } = locked
  const home = yield* Home
  // A wrong command line is no night. A night that failed later has its report.
  if (error instanceof GameUnknown || isThere(home.run(run)) || !isThere(home.root)) return
  const reason = (yield* scrubbing)(error.message)
  const seconds = ((yield* Clock.currentTimeMillis) - startedMillis) / 1000
  const report: RunReport = {
    run,
    kind: "nightly",
    why: null,
    startedAt,
    verdict: "failed",
    reason,
    seconds,
    games: []
  }
  yield* writeJson(home.run(run), RunReport, report).pipe(Effect.catch(() => warnWithoutReport))
})

/** Warns of a night that leaves nothing in the home that other commands could report. Its error is printed as well. */
const warnWithoutReport = nightWarning("report", "This night leaves no report, so status and runs do not show it")

/**
 * Runs a night: reads, loads, compares and judges all or the named games, then swaps the lake once. A failed or held
 * game keeps its published snapshot. The report is also `<home>/runs/<run>.json`.
 */
export const runNight = Effect.fn("runNight")(function* (
  games: ReadonlyArray<string>,
  onProgress: NightProgress,
  options: NightOptions = {}
) {
  // A dry run is no night.
  const isDryRun = options.isDryRun === true
  const report: typeof reportFailure = isDryRun ? () => Effect.void : reportFailure
  const begun = yield* beginRun(isDryRun ? dryRunCommand : "nightly", report)
  const night = readAndPublish(begun, { games, onProgress, ...options })
  return yield* Effect.tapError(night, (error) => report(begun, error))
}, Effect.scoped)

/** Shows the verdicts of games that are not read, and returns them. */
const showUnread = (run: RunId, unread: ReadonlyArray<GameReport>, onProgress: NightProgress) =>
  Effect.forEach(unread, (report) =>
    watchGame({ run, gameId: report.gameId, onProgress }, (onProgress) => {
      onProgress({ gameId: report.gameId, stage: report.verdict })
      return Effect.succeed(report)
    })
  )

const readAndPublish = Effect.fnUntraced(function* (
  begun: BegunRun,
  {
    games,
    isDryRun = false,
    onProgress,
    rates = null
  }: NightOptions & { readonly games: ReadonlyArray<string>; readonly onProgress: NightProgress }
) {
  const marketplace = yield* Marketplace
  const countRequests = yield* marketplace.countRequests
  const requests = (gameId?: string) => Effect.map(countRequests(gameId), reportRequests)
  const { current, run, startedMillis, stopped } = begun
  const offered = yield* untilBound(startedMillis, gamesOfNight(games, current), () => "the list of games")
  const damagedGames = (yield* Home).place.damagedGames
  const wanted = offered.wanted.filter((gameId) => !stopped.has(gameId) && !damagedGames.has(gameId))
  const unread = [...damagedReports(begun, offered.wanted), ...missingReports(damagedGames), ...offered.unread]
  // An unreadable setting ends the night before its first request.
  yield* Effect.forEach(wanted, boundsOf, { discard: true })
  yield* Effect.annotateCurrentSpan("cardlake.run", run)
  yield* nightEvent("run", { run, games: wanted })

  const loading = yield* Semaphore.make(1)
  const inTurn = yield* makeNightQueue(wanted.length, gamesAtOnce, yield* lastWaitMillis(startedMillis))
  const read = yield* Effect.forEach(
    wanted,
    (gameId) =>
      inTurn((end) =>
        watchGame({ run, gameId, onProgress }, (onProgress) => {
          const live = current.games[gameId]?.snapshot ?? null
          const of = { gameId, runId: run, startedMillis, games: offered.page, live }
          return readGame({ ...of, loading, onProgress, end, isDryRun }).pipe(
            Effect.flatMap((report) => Effect.map(requests(gameId), (counts) => ({ ...report, ...counts })))
          )
        })
      ),
    { concurrency: "unbounded" }
  )
  const reports = [...read, ...(yield* showUnread(run, unread, onProgress))]
  const at = DateTime.formatIso(yield* DateTime.now)
  const fresh = isDryRun ? [] : listPublications(run, reports, at)
  // A night that found nothing new is also a reading, and the lake records it.
  const isRead = !isDryRun && reports.some((game) => game.verdict === "published" || game.verdict === "unchanged")
  const published = isRead ? withPublications(current, fresh) : null
  const freshGames = fresh.map(({ gameId }) => gameId)
  if (published !== null && fresh.length > 0) yield* compactMonths(run, published, freshGames)
  const { added, loaded: backfills } = yield* takeInBackfills(run, Object.keys(published?.games ?? {}))
  const next = published === null ? null : withPublications(current, withBackfills(current, fresh, { run, at, added }))
  const publishingSince = yield* Clock.currentTimeMillis
  const ratesFault = next === null || rates === null ? null : yield* loadNightRates(run, rates)
  const measured = { ...costs(marketplace, yield* requests()), ...(ratesFault === null ? {} : { ratesFault }) }
  const outcome = { isDryRun, games: reports, measured, backfills, next }
  const report = yield* commitRun(begun, { kind: "nightly", why: null, ...outcome })
  const seconds = ((yield* Clock.currentTimeMillis) - publishingSince) / 1000
  if (next !== null) yield* nightEvent("stage", { run, stage: "publishing", seconds })
  for (const gameId of freshGames) onProgress({ gameId, stage: "published" })
  if (next !== null) yield* tidyMonths(run, next)
  yield* Effect.forEach(read, sweepReading(isDryRun))
  return report
})

/** A complete reading replaces older ones; an incomplete one can be resumed. */
const sweepReading =
  (isDryRun: boolean) =>
  ({ gameId, products }: GameReport) =>
    sweepRaw(gameId, products === null || isDryRun ? "resumable" : "none")

const listPublications = (run: RunId, reports: ReadonlyArray<GameReport>, at: string) =>
  reports
    .filter((game) => game.verdict === "published")
    .map(({ deploymentId, gameId, snapshot }): NewPublication => ({
      run,
      kind: "nightly",
      gameId,
      deploymentId,
      // A held snapshot that is published tonight keeps the id of the run that read it.
      snapshot: snapshot ?? SnapshotId.make(run),
      at,
      why: null
    }))

/** Returns verdicts of games that are not read, because their history must be repaired first. */
const damagedReports = ({ current, stopped }: BegunRun, wanted: ReadonlyArray<string>) =>
  [...stopped]
    .filter(([gameId]) => wanted.includes(gameId))
    .map(([gameId, { damage }]) => failedGame(gameId, damage.message, current.games[gameId]?.snapshot))

/** Returns verdicts of games that are not read, because a bucket lacks one of their documents. */
const missingReports = (damagedGames: ReadonlyMap<string, string>) =>
  [...damagedGames].map(([gameId, reason]) => failedGame(gameId, reason))

/** Returns the night's requests, and their min duration at the learned limits. */
const costs = (
  { granted, rateLimit, secondsOfNight }: Marketplace["Service"],
  counts: ReturnType<typeof reportRequests>
) => {
  const budget = granted()
  const report = budget === null ? counts : { ...counts, budget }
  const limit = rateLimit()?.limit ?? null
  const secondsAtLimit = secondsOfNight(report.requests)
  return limit === null || secondsAtLimit === null ? report : { ...report, limit, secondsAtLimit }
}
