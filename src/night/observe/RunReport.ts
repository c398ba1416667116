import { Schema, Effect, Option } from "effect"
import { DialectName } from "../../feed/contract/dialect/DialectName.ts"
import { RunId, SnapshotId, DeploymentId } from "../../feed/contract/Ids.ts"
import { ProductChanges, ReconciliationCounts, IdAudit } from "../../store/home/Diff.ts"
import { type Current, RunKind, Home } from "../../store/home/Home.ts"
import { Drift } from "../../store/home/Manifest.ts"
import { Via } from "../../feed/contract/Via.ts"
import { runsWithReport } from "../../store/home/newRunId.ts"
import { FileDamaged } from "../../store/home/disk.ts"
import { readJson } from "../../store/home/jsonFile.ts"

/**
 * The outcome of a run for one game. `published`: the new snapshot is live. `unchanged`: the feed equals the live
 * snapshot. `missing`: the lake has the game, but the marketplace no longer lists it.
 */
export const Verdict = Schema.Literals(["published", "unchanged", "missing", "held", "failed"])
export type Verdict = typeof Verdict.Type

/** A night's request statistics. Absent in reports of other runs. */
const requestFields = {
  /** Requests, including retries. */
  requests: Schema.optionalKey(Schema.Int),
  retried: Schema.optionalKey(Schema.Int),
  /** Seconds during which at least one request waited for a rate limit. */
  waitedSeconds: Schema.optionalKey(Schema.Finite)
}

/** One game of a run. Counts are null if the game was not read completely. */
export const GameReport = Schema.Struct({
  gameId: Schema.String,
  verdict: Verdict,
  /** The reason for missing, held or failed, ending with the next step. */
  reason: Schema.NullOr(Schema.String),
  /** The reasons of a held snapshot, one by one. Absent for other verdicts. */
  reasons: Schema.optionalKey(Schema.Array(Schema.String)),
  /** The id of the request that failed, if the marketplace gave one. */
  requestId: Schema.optionalKey(Schema.String),
  deploymentId: Schema.NullOr(DeploymentId),
  /** The dialect of the reading, even if it is incomplete. Absent if no page showed one. */
  dialect: Schema.optionalKey(DialectName),
  /** Feeds or pages. Absent if the game was not read completely. */
  via: Schema.optionalKey(Via),
  /** The reason for not using the preferred source. */
  viaReason: Schema.optionalKey(Schema.String),
  /** With feed files: the newest deployment, if they still did not show it after waiting. */
  unshown: Schema.optionalKey(DeploymentId),
  /** The snapshot that is published after the run. */
  snapshot: Schema.NullOr(SnapshotId),
  products: Schema.NullOr(Schema.Int),
  expansions: Schema.NullOr(Schema.Int),
  /** Rows of source and marketplace prices. */
  prices: Schema.NullOr(Schema.Int),
  externalIds: Schema.NullOr(Schema.Int),
  refused: Schema.NullOr(Schema.Int),
  /** Keys that the contract does not know, and the records that carry them. Null = not counted. */
  drift: Schema.NullOr(Drift),
  /** Changes since the previous snapshot. In a game's first snapshot everything is added. */
  changes: Schema.NullOr(Schema.Struct({ products: ProductChanges, expansions: ProductChanges })),
  reconciliation: Schema.NullOr(ReconciliationCounts),
  /** Suspicious ids by kind; moved: since the previous snapshot. Null = not counted, or nothing new was read. */
  idAudit: Schema.NullOr(IdAudit),
  seconds: Schema.Finite,
  /** Pages of the reading that an earlier run had already requested. Absent if none. */
  resumedPages: Schema.optionalKey(Schema.Int),
  ...requestFields
})
export type GameReport = typeof GameReport.Type

/** The result of `nightly --export`. The publication before it is final. */
export const ExportReport = Schema.Struct({
  to: Schema.String,
  verdict: Schema.Literals(["exported", "failed"]),
  /** The reason for a failure or for skipped tables, ending with the next step; null if neither occurred. */
  reason: Schema.NullOr(Schema.String),
  /** Written partitions, their rows and bytes. Null if the whole export failed. */
  partitions: Schema.NullOr(Schema.Int),
  rows: Schema.NullOr(Schema.Int),
  bytes: Schema.NullOr(Schema.Int),
  seconds: Schema.Finite
})
export type ExportReport = typeof ExportReport.Type

/** The backfilled answers of a game that a night loaded into the lake. */
export const BackfillReport = Schema.Struct({
  gameId: Schema.String,
  /** Answers, including rejected ones and those for unknown products. */
  answers: Schema.Int,
  products: Schema.Int,
  prices: Schema.Int,
  /** Price rows that the contract rejected, and answers that it rejected completely. */
  refusedPrices: Schema.Int,
  refusedAnswers: Schema.Int,
  /** The reason for a failed load; null if it succeeded. */
  reason: Schema.NullOr(Schema.String)
})
export type BackfillReport = typeof BackfillReport.Type

/** `<home>/runs/<run>.json` and the output of `nightly --json`: one invocation over some games. */
export const RunReport = Schema.Struct({
  run: RunId,
  kind: RunKind,
  /** The user's reason for a release or a rollback; null if none was given. */
  why: Schema.NullOr(Schema.String),
  startedAt: Schema.String,
  verdict: Verdict,
  /** The reason for a failure of the whole run; absent if the games have the reasons. */
  reason: Schema.optionalKey(Schema.String),
  seconds: Schema.Finite,
  ...requestFields,
  /** Requests a minute as stated in the answers. Absent if they state no limit or no night sent requests. */
  limit: Schema.optionalKey(Schema.Finite),
  /** Why the exchange rates of the setting were not loaded. Absent if they were, or none were due. */
  ratesFault: Schema.optionalKey(Schema.String),
  /** Min seconds for the night's requests at the learned limits. */
  secondsAtLimit: Schema.optionalKey(Schema.Finite),
  /** Grants of the key's budget that workers share. Absent if it is not shared. */
  budget: Schema.optionalKey(
    Schema.Struct({
      /** Distinguishes keys without revealing them. */
      key: Schema.String,
      leases: Schema.Int,
      /** Granted requests, including unused ones. */
      tokens: Schema.Int,
      /** Answers with 429. */
      refused: Schema.Int
    })
  ),
  games: Schema.Array(GameReport),
  /** True if nothing was published or stored. Absent otherwise. */
  dryRun: Schema.optionalKey(Schema.Boolean),
  /** Unfinished work of a dead run, by path in the home, kept in `work/removed-<run>` for a week. Absent if none. */
  setAside: Schema.optionalKey(Schema.Array(Schema.String)),
  /** Absent if backfills brought nothing. */
  backfills: Schema.optionalKey(Schema.Array(BackfillReport)),
  /** Absent if none was requested. The export follows the publication, so the stored report lacks it. */
  export: Schema.optionalKey(ExportReport)
})
export type RunReport = typeof RunReport.Type

/** Exit code: 0 published or unchanged, 1 everything failed, 3 some held or missing, 4 some failed. */
export const computeExitCode = (games: ReadonlyArray<GameReport>): number => {
  const read = games.filter((game) => game.verdict !== "missing")
  const failed = read.filter((game) => game.verdict === "failed").length
  if (failed > 0) return failed === read.length ? 1 : 4
  return games.some((game) => game.verdict === "held" || game.verdict === "missing") ? 3 : 0
}

/** The exit code of a whole night: a failed export changes 0 or 3 to 4. */
export const exitCodeOfNight = ({ export: exported, games }: Pick<RunReport, "export" | "games">): number => {
  const code = computeExitCode(games)
  return exported?.verdict === "failed" && code !== 1 ? 4 : code
}

export const worstVerdict = (games: ReadonlyArray<GameReport>): Verdict =>
  (["failed", "held", "missing", "published"] as const).find((verdict) =>
    games.some((game) => game.verdict === verdict)
  ) ?? "unchanged"

const died = "The run ended before publishing. Nothing of it is in the lake; run it again: cardlake nightly"

/** Returns the report of a run that was never committed: none of its games was published. */
export const withoutPublications = (report: RunReport, current: Current): RunReport => {
  if (report.games.every(({ verdict }) => verdict !== "published")) return report
  const games = report.games.map((game): GameReport =>
    game.verdict === "published"
      ? { ...game, verdict: "failed", reason: died, snapshot: current.games[game.gameId]?.snapshot ?? null }
      : game
  )
  return { ...report, games, verdict: worstVerdict(games) }
}

/** Loads the report of a run. Fails with `FileDamaged` if it is missing or belongs to another run. */
export const readReport = Effect.fnUntraced(function* (run: RunId) {
  const file = (yield* Home).run(run)
  const report = yield* readJson(file, RunReport)
  return report.run === run ? report : yield* new FileDamaged({ file, what: `it is the report of ${report.run}` })
})

const reportsNewestFirst = (unread: (failure: { readonly message: string }) => Effect.Effect<void>) =>
  Effect.gen(function* () {
    const runs = (yield* runsWithReport).toReversed()
    const reports = yield* Effect.forEach(runs, (run) => Effect.option(Effect.tapError(readReport(run), unread)), {
      concurrency: 8
    })
    return reports.flatMap(Option.toArray)
  })

export const listRuns = reportsNewestFirst(() => Effect.void)

/** The readable reports of the home's runs, newest first. Unreadable ones are named in warnings. */
export const listRunsAndWarn = reportsNewestFirst(({ message }) => Effect.logWarning(message))
