import { join } from "node:path"
import type { RunId, SnapshotId } from "../../feed/contract/Ids.ts"
import { joinBelow } from "../../feed/guard/joinBelow.ts"

/** Where everything is below the home; data/guide/files.md documents it. */
export const homePaths = (home: string) => ({
  root: home,
  /** Marks the folder as a home, and states its format. */
  marker: join(home, "cardlake.json"),
  /** A game's readings, each in a folder named after its run. */
  readings: (gameId: string) => joinBelow(home, "raw", gameId),
  raw: (gameId: string, runId: RunId) => joinBelow(home, "raw", gameId, runId),
  snapshots: join(home, "snapshots"),
  snapshot: (gameId: string, snapshotId: SnapshotId) =>
    joinBelow(home, "snapshots", `game=${gameId}`, `snapshot=${snapshotId}`),
  changes: (gameId: string, snapshotId: SnapshotId) => joinBelow(home, "changes", `game=${gameId}`, `to=${snapshotId}`),
  history: join(home, "history"),
  /** The game's months, each with the part that holds its nights. */
  months: (gameId: string) => joinBelow(home, "history", `game=${gameId}`),
  part: (gameId: string, month: string, run: RunId) =>
    joinBelow(home, "history", `game=${gameId}`, `month=${month}`, `part=${run}`),
  /** Nights that found nothing new, and whose reports were removed. */
  confirmations: (gameId: string) => joinBelow(home, "history", `game=${gameId}`, "confirmations.json"),
  /** What the feed said beyond the contract on a night whose snapshot was pruned. */
  drift: (gameId: string, snapshotId: SnapshotId) =>
    joinBelow(home, "history", `game=${gameId}`, "drift", `${snapshotId}.parquet`),
  /**
   * Everything that the game's published snapshots said about its changelog:
   * `deployments.parquet`, `deployment_changes.parquet`.
   */
  feed: (gameId: string) => joinBelow(home, "deployments", `game=${gameId}`),
  /** What backfills wrote: raw answers, and the ledger of what was asked. Only the holder of its own lock writes here. */
  backfill: join(home, "backfill"),
  backfillLock: join(home, "backfill", "lock"),
  /** What backfills learnt of the marketplace's limit. */
  backfillLimits: join(home, "backfill", "limits.json"),
  backfillLedger: (gameId: string) => joinBelow(home, "backfill", `game=${gameId}`, "ledger.ndjson"),
  backfillAnswers: (gameId: string) => joinBelow(home, "backfill", `game=${gameId}`, "answers"),
  /** What the history has of a game's answers, in parts. */
  backfillParts: (gameId: string) => joinBelow(home, "history", `game=${gameId}`, "backfill"),
  backfillPart: (gameId: string, run: RunId) => joinBelow(home, "history", `game=${gameId}`, "backfill", `part=${run}`),
  /** The cards of whoever keeps this home. No night writes here, and nothing leaves the home unless that is asked for. */
  own: join(home, "own"),
  runs: join(home, "runs"),
  run: (runId: RunId) => joinBelow(home, "runs", `${runId}.json`),
  /** Unfinished work of a run; safe to delete when no run is going on. */
  work: (runId: string) => join(home, "work", runId),
  /** Exchange rates that were loaded. */
  rates: join(home, "fx_rates.parquet"),
  /** Who is writing to the home; exists while a run is going on. */
  lock: join(home, "lock"),
  /** Which snapshot of each game is published. */
  current: join(home, "current.json"),
  lake: join(home, "lake.duckdb")
})
export type HomePaths = ReturnType<typeof homePaths>

/** What a home's root may contain. */
export const homeFolders = ["backfill", "changes", "deployments", "history", "raw", "runs", "snapshots", "work"]
export const homeFiles = [
  "cardlake.json",
  "current.json",
  "fx_rates.parquet",
  "fx_rates.parquet.sha256",
  "lake.duckdb",
  "lake.duckdb.sha256",
  "lock"
]
