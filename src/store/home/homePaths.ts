import { join } from "node:path"
import type { RunId, SnapshotId } from "../../feed/contract/Ids.ts"
import { joinBelow } from "../../feed/guard/joinBelow.ts"

/** Returns all paths below a home; documented in data/guide/files.md. */
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
  /** Nights that found nothing new and whose reports were deleted. */
  confirmations: (gameId: string) => joinBelow(home, "history", `game=${gameId}`, "confirmations.json"),
  /** Keys that the contract did not know on a night whose snapshot was pruned. */
  drift: (gameId: string, snapshotId: SnapshotId) =>
    joinBelow(home, "history", `game=${gameId}`, "drift", `${snapshotId}.parquet`),
  /** All known entries of the game's changelog: `deployments.parquet`, `deployment_changes.parquet`. */
  feed: (gameId: string) => joinBelow(home, "deployments", `game=${gameId}`),
  /** Raw answers of backfills and their ledgers. Only the holder of the backfill's lock writes here. */
  backfill: join(home, "backfill"),
  backfillLock: join(home, "backfill", "lock"),
  /** Learned limits of the marketplace's price history. */
  backfillLimits: join(home, "backfill", "limits.json"),
  backfillLedger: (gameId: string) => joinBelow(home, "backfill", `game=${gameId}`, "ledger.ndjson"),
  backfillAnswers: (gameId: string) => joinBelow(home, "backfill", `game=${gameId}`, "answers"),
  /** The game's backfilled history, in parts. */
  backfillParts: (gameId: string) => joinBelow(home, "history", `game=${gameId}`, "backfill"),
  backfillPart: (gameId: string, run: RunId) => joinBelow(home, "history", `game=${gameId}`, "backfill", `part=${run}`),
  /** The user's collection. No night writes here, and it leaves the home only on request. */
  own: join(home, "own"),
  runs: join(home, "runs"),
  run: (runId: RunId) => joinBelow(home, "runs", `${runId}.json`),
  /** Scratch space of a run; safe to delete when no run is active. */
  work: (runId: string) => join(home, "work", runId),
  rates: join(home, "fx_rates.parquet"),
  /** The current writer of the home; exists during a run. */
  lock: join(home, "lock"),
  /** Which snapshot of each game is published. */
  current: join(home, "current.json"),
  lake: join(home, "lake.duckdb")
})
export type HomePaths = ReturnType<typeof homePaths>

/** The database that readers attach by its address, in a front's folder or in a bucket. A home in a folder has none. */
export const frontFile = "front.duckdb"

/** The folders that a home's root may contain. */
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
