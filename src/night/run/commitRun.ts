import { scrubbing } from "../observe/Observation.ts"
import { Clock, Effect, Option } from "effect"
import { SnapshotId } from "../../feed/contract/Ids.ts"
import { scrubbed } from "../../feed/client/scrub.ts"
import { readCurrent, wasPublished, type Current, type RunKind, Home } from "../../store/home/Home.ts"
import { isThere, removeAll } from "../../store/home/disk.ts"
import { publishLake, type BegunRun, correctReports } from "./beginRun.ts"
import { writeJson } from "../../store/home/jsonFile.ts"
import { type BackfillReport, RunReport, worstVerdict, type GameReport, readReport } from "../observe/RunReport.ts"
import type { DialectName } from "../../feed/contract/dialect/dialects.ts"
import type { Diff, IdAudit } from "../../store/home/Diff.ts"
import { heldBack, sayings, type Reason } from "../../store/diff/judge.ts"
import type { SnapshotFolder, Manifest } from "../../store/home/Manifest.ts"
import type { RequestCounts } from "../../feed/client/limiter/RequestTally.ts"
import { adviceText, heldLines } from "../../store/diff/heldAdvice.ts"

const nothing = { added: 0, removed: 0, modified: 0, modifiedCatalogue: 0, modifiedPrice: 0 }
const nothingClaimed = { confirmed: 0, claimedNotSeen: 0, seenNotClaimed: 0, unexplained: 0 }

/** Returns the report of a game with a snapshot. Without a diff it is the first one, and everything is added. */
export const gameReport = (of: {
  readonly verdict: "published" | "unchanged" | "held"
  readonly manifest: Manifest
  /** The reading's dialect if the manifest's differs, because two dialects can give equal rows. */
  readonly dialect?: DialectName
  readonly diff: Diff | null
  readonly idAudit?: IdAudit | null
  /** The snapshot that was published before the run. */
  readonly previous: SnapshotFolder | null
  readonly reasons: ReadonlyArray<Reason>
}): Omit<GameReport, "seconds"> => {
  const { diff, manifest, previous, reasons, verdict } = of
  const rows = (table: string) => manifest.tables[table]?.rows ?? 0
  const isFirst = previous === null
  return {
    gameId: manifest.gameId,
    verdict,
    ...(reasons.length === 0
      ? { reason: null }
      : { reason: adviceText(heldLines(manifest, heldBack(reasons))), reasons: sayings(reasons) }),
    deploymentId: manifest.deploymentId,
    dialect: of.dialect ?? manifest.dialect ?? "spec",
    snapshot: verdict === "held" ? (previous?.manifest.snapshot ?? null) : manifest.snapshot,
    products: rows("products"),
    expansions: rows("expansions"),
    prices: rows("source_prices") + rows("marketplace_prices"),
    externalIds: rows("external_ids"),
    refused: manifest.refused,
    drift: manifest.drift,
    changes: diff?.changes ?? {
      products: { ...nothing, added: isFirst ? rows("products") : 0 },
      expansions: { ...nothing, added: isFirst ? rows("expansions") : 0 }
    },
    reconciliation: diff === null ? nothingClaimed : diff.reconciliation,
    idAudit: of.idAudit ?? null
  }
}

/** Returns a snapshot with the counts of its ids in the report of the run that read it; null if the report has none. */
export const withIdAudit = Effect.fnUntraced(function* (snapshot: SnapshotFolder) {
  const { gameId, runId } = snapshot.manifest
  const report = Option.getOrNull(yield* Effect.option(readReport(runId)))
  const idAudit = report?.games.find((game) => game.gameId === gameId)?.idAudit ?? null
  return idAudit === null ? null : { ...snapshot, idAudit }
})

/** Returns the report of an incomplete reading, without counts. */
export const unreadReport = ({
  dialect,
  ...of
}: Pick<GameReport, "gameId" | "verdict" | "reason" | "requestId" | "snapshot" | "seconds"> & {
  /** Null or absent if no page showed a dialect and none was set. */
  readonly dialect?: DialectName | null
}): GameReport => ({
  ...of,
  deploymentId: null,
  ...(dialect == null ? {} : { dialect }),
  products: null,
  expansions: null,
  prices: null,
  externalIds: null,
  refused: null,
  drift: null,
  changes: null,
  reconciliation: null,
  idAudit: null
})

/** Returns the report of a game that failed before any data was read. */
export const failedGame = (gameId: string, reason: string, snapshot: GameReport["snapshot"] = null): GameReport =>
  unreadReport({ gameId, verdict: "failed", reason, snapshot, seconds: 0 })

export const reportRequests = ({ requests, retried, waitedMillis }: RequestCounts) => ({
  requests,
  retried,
  waitedSeconds: waitedMillis / 1000
})

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
    readonly backfills?: ReadonlyArray<BackfillReport>
    /** Null leaves the published state unchanged. */
    readonly next: Current | null
    /** True writes no report. */
    readonly isDryRun?: boolean
  }
) {
  const home = yield* Home
  const { next, ...written } = outcome
  const secrets = yield* scrubbing
  const { backfills = [], games, isDryRun, kind, measured, why } = scrubbed(secrets, written)
  const { lock, run, setAside, startedAt, startedMillis, stopped } = begun
  const report = Effect.map(Clock.currentTimeMillis, (now): RunReport => ({
    run,
    kind,
    why,
    startedAt,
    verdict: worstVerdict(games),
    seconds: (now - startedMillis) / 1000,
    ...measured,
    games,
    ...(setAside.length > 0 ? { setAside } : {}),
    ...(backfills.length > 0 ? { backfills } : {})
  }))
  if (isDryRun === true) return { ...(yield* report), dryRun: true } satisfies RunReport
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
