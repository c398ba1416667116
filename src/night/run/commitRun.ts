import { scrubbing } from "../observe/Observation.ts"
import { Clock, Effect } from "effect"
import { SnapshotId } from "../../feed/contract/Ids.ts"
import { scrubbed } from "../../feed/client/scrub.ts"
import { readCurrent, wasPublished, type Current, type RunKind, Home } from "../../store/home/Home.ts"
import { isThere, removeAll } from "../../store/home/disk.ts"
import { publishLake, type BegunRun, correctReports } from "./beginRun.ts"
import { writeJson } from "../../store/home/jsonFile.ts"
import { type BackfillReport, RunReport, worstVerdict, type GameReport } from "../observe/RunReport.ts"

/** Undoes a run that failed before its commit, games without news included: the lake does not know it. */
const undoRun = Effect.fnUntraced(function* (report: RunReport, reason: string) {
  const { games, run } = report
  const snapshot = SnapshotId.make(run)
  const home = yield* Home
  const current = yield* readCurrent
  const unpublished = games
    .filter((game) => game.verdict === "published" && !wasPublished(current, game.gameId, game.snapshot ?? snapshot))
    .map(({ gameId }) => gameId)
  yield* removeAll(
    "Remove what was not published",
    unpublished.flatMap((gameId) => [home.snapshot(gameId, snapshot), home.changes(gameId, snapshot)])
  )
  yield* correctReports(current)
  // A home that was deleted during the run must not be recreated with a report.
  if (!isThere(home.run(run))) return
  const failed = (game: GameReport): GameReport => {
    const isFailed = unpublished.includes(game.gameId) || game.verdict === "unchanged"
    return isFailed
      ? { ...game, verdict: "failed", reason, snapshot: current.games[game.gameId]?.snapshot ?? null }
      : game
  }
  const reported = games.map(failed)
  yield* writeJson(home.run(run), RunReport, { ...report, games: reported, verdict: worstVerdict(reported) })
})

/** Ends a run: writes its report, then state and lake if `next` changes them, in the order of `publish`. */
export const commitRun = Effect.fn("commitRun")(function* (
  begun: BegunRun,
  outcome: {
    readonly kind: RunKind
    readonly why: string | null
    readonly games: ReadonlyArray<GameReport>
    /** Statistics of a night. */
    readonly measured?: Pick<
      RunReport,
      "requests" | "retried" | "waitedSeconds" | "limit" | "secondsAtLimit" | "budget" | "ratesFault"
    >
    /** Backfills that a night loaded. */
    readonly backfills?: ReadonlyArray<BackfillReport>
    /** Null leaves the published state unchanged. */
    readonly next: Current | null
    /** True writes no report. */
    readonly isDryRun?: boolean
  }
) {
  const home = yield* Home
  const { next } = outcome
  const secrets = yield* scrubbing
  const { backfills, games, kind, why } = scrubbed(secrets, {
    backfills: outcome.backfills ?? [],
    games: outcome.games,
    kind: outcome.kind,
    why: outcome.why
  })
  const { lock, run, setAside, startedAt, startedMillis, stopped } = begun
  const report = Effect.map(Clock.currentTimeMillis, (now): RunReport => ({
    run,
    kind,
    why,
    startedAt,
    verdict: worstVerdict(games),
    seconds: (now - startedMillis) / 1000,
    ...outcome.measured,
    games,
    ...(setAside.length > 0 ? { setAside } : {}),
    ...(backfills.length > 0 ? { backfills } : {})
  }))
  if (outcome.isDryRun === true) return { ...(yield* report), dryRun: true } satisfies RunReport
  yield* Effect.gen(function* () {
    // A home that was deleted during the run must not be recreated with a report.
    yield* lock.isOurs
    yield* writeJson(home.run(run), RunReport, yield* report)
    if (next !== null) yield* publishLake(run, next, { ...lock, stopped })
  }).pipe(
    Effect.tapError(({ message }) =>
      next === null
        ? Effect.void
        : Effect.ignore(Effect.flatMap(report, (report) => undoRun(report, scrubbed(secrets, message))))
    )
  )
  yield* removeAll("Clean up", [home.work(run)])
  const final = yield* report
  yield* writeJson(home.run(run), RunReport, final)
  return final
})
