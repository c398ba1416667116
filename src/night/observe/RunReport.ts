import { Schema } from "effect"
import { DialectName } from "../../feed/contract/dialect/DialectName.ts"
import { RunId, SnapshotId, DeploymentId } from "../../feed/contract/Ids.ts"
import { ProductChanges, ReconciliationCounts, IdAudit } from "../../store/diff/Diff.ts"
import { RunKind } from "../../store/home/Home.ts"
import { Drift } from "../../store/home/Manifest.ts"
import { Via } from "../../feed/contract/Via.ts"

/**
 * What a run did with one game. `published`: the new snapshot is live. `unchanged`: the feed says what is already live.
 * `missing`: the lake has the game, but the marketplace's list no longer does.
 */
export const Verdict = Schema.Literals(["published", "unchanged", "missing", "held", "failed"])
export type Verdict = typeof Verdict.Type

/** What a night asked of the marketplace. Absent in reports of other runs. */
const asked = {
  /** Requests that were sent, those that were sent again included. */
  requests: Schema.optionalKey(Schema.Int),
  retried: Schema.optionalKey(Schema.Int),
  /** How long at least one request waited for a rate limit. */
  waitedSeconds: Schema.optionalKey(Schema.Finite)
}

/** One game of a run. Counts are null where the game was not read to its end. */
export const GameReport = Schema.Struct({
  gameId: Schema.String,
  verdict: Verdict,
  /** Why it was missing, held or failed, ending with the next step. */
  reason: Schema.NullOr(Schema.String),
  deploymentId: Schema.NullOr(DeploymentId),
  /** The words that it was read in, as far as it was. Absent: no page showed any. */
  dialect: Schema.optionalKey(DialectName),
  /** How it was read. Absent: it was not read to its end. */
  via: Schema.optionalKey(Via),
  /** Why not by the wanted way. */
  viaReason: Schema.optionalKey(Schema.String),
  /** By feed files: the newest deployment, if they still did not show it once the night had waited for it. */
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
  /** Against the snapshot published before; everything in a game's first snapshot is added. */
  changes: Schema.NullOr(Schema.Struct({ products: ProductChanges, expansions: ProductChanges })),
  reconciliation: Schema.NullOr(ReconciliationCounts),
  /** Ids that look wrong, by kind; moved: since the snapshot published before. Null = nothing new was read, or they were not counted. */
  idAudit: Schema.NullOr(IdAudit),
  seconds: Schema.Finite,
  /** Pages of its reading that a run before it had requested, and that it did not request again. Absent: none. */
  resumedPages: Schema.optionalKey(Schema.Int),
  ...asked
})
export type GameReport = typeof GameReport.Type

/** What `nightly --export` did after the publication, which stays whatever happened. */
export const ExportReport = Schema.Struct({
  to: Schema.String,
  verdict: Schema.Literals(["exported", "failed"]),
  /** Why it failed, or some of its tables were left alone, ending with the next step; null = it did not. */
  reason: Schema.NullOr(Schema.String),
  /** Partitions that were written, their rows and bytes. Null = it failed as a whole. */
  partitions: Schema.NullOr(Schema.Int),
  rows: Schema.NullOr(Schema.Int),
  bytes: Schema.NullOr(Schema.Int),
  seconds: Schema.Finite
})
export type ExportReport = typeof ExportReport.Type

/** What a night took of a game's backfill into the lake. */
export const BackfillReport = Schema.Struct({
  gameId: Schema.String,
  /** Those that were refused and products that are not there included. */
  answers: Schema.Int,
  products: Schema.Int,
  prices: Schema.Int,
  /** Rows that the contract refused, and answers of which it takes nothing. */
  refusedPrices: Schema.Int,
  refusedAnswers: Schema.Int,
  /** Why it was not taken in; null = it was. */
  reason: Schema.NullOr(Schema.String)
})
export type BackfillReport = typeof BackfillReport.Type

/** `<home>/runs/<run>.json` and the output of `nightly --json`: one invocation over some games. */
export const RunReport = Schema.Struct({
  run: RunId,
  kind: RunKind,
  /** The person's reason for a release or a rollback; null where none was given. */
  why: Schema.NullOr(Schema.String),
  startedAt: Schema.String,
  verdict: Verdict,
  /** Why the run as a whole failed; absent if its games say so. */
  reason: Schema.optionalKey(Schema.String),
  seconds: Schema.Finite,
  ...asked,
  /** Requests a minute, as the marketplace's answers say. Absent: they do not, or no night asked. */
  limit: Schema.optionalKey(Schema.Finite),
  /** How long the night's requests take at the limits that it learned. */
  secondsAtLimit: Schema.optionalKey(Schema.Finite),
  /** What the budget of the key granted, which workers share. Absent: nobody does. */
  budget: Schema.optionalKey(
    Schema.Struct({
      /** Tells keys apart, and nothing else. */
      key: Schema.String,
      leases: Schema.Int,
      /** Requests that it granted, unused ones included. */
      tokens: Schema.Int,
      /** Answers with 429. */
      refused: Schema.Int
    })
  ),
  games: Schema.Array(GameReport),
  /**
   * What a dead run had left half-finished, by path in the home: in `work/removed-<run>` for a week. Absent: nothing.
   */
  setAside: Schema.optionalKey(Schema.Array(Schema.String)),
  /** Absent: no backfill had brought anything. */
  backfills: Schema.optionalKey(Schema.Array(BackfillReport)),
  /** Absent: none was requested. It follows the publication, so the run's report in the home does not have it. */
  export: Schema.optionalKey(ExportReport)
})
export type RunReport = typeof RunReport.Type

/** 0 published or unchanged, 1 everything failed, 3 something held back or missing, 4 some games failed. */
export const exitCodeOf = (games: ReadonlyArray<GameReport>): number => {
  const read = games.filter((game) => game.verdict !== "missing")
  const failed = read.filter((game) => game.verdict === "failed").length
  if (failed > 0) return failed === read.length ? 1 : 4
  return games.some((game) => game.verdict === "held" || game.verdict === "missing") ? 3 : 0
}

/** The same for a whole night: a failed export turns 0 or 3 into 4. */
export const exitCodeOfNight = ({ export: exported, games }: Pick<RunReport, "export" | "games">): number => {
  const code = exitCodeOf(games)
  return exported?.verdict === "failed" && code !== 1 ? 4 : code
}

/** A run's verdict is the worst of its games' verdicts. */
export const worstOf = (games: ReadonlyArray<GameReport>): Verdict =>
  (["failed", "held", "missing", "published"] as const).find((verdict) =>
    games.some((game) => game.verdict === verdict)
  ) ?? "unchanged"
