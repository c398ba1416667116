import { Schema, Effect } from "effect"
import { StoredDialect } from "../../feed/contract/dialect/DialectFile.ts"
import { DialectName } from "../../feed/contract/dialect/DialectName.ts"
import { Via, UsedFeeds } from "../../feed/contract/Via.ts"
import { GameId, RunId, SnapshotId, DeploymentId } from "../../feed/contract/Ids.ts"
import { isPathBelow, recordOf } from "../../feed/guard/joinBelow.ts"
import { basename, dirname, join } from "node:path"
import { FileDamaged } from "./verifyFile.ts"
import { knownContract, readJson } from "./jsonFile.ts"
import { foldersIn } from "./disk.ts"
import { Home, wasPublished, type Current } from "./Home.ts"

/** A check from a table's header, run over its Parquet: how many rows break it. */
export const QualityCheck = Schema.Struct({
  table: Schema.String,
  check: Schema.String,
  /** Rows (for a uniqueness: keys) that break it; 0 = passed. */
  violations: Schema.Int
})
export type QualityCheck = typeof QualityCheck.Type

/** What was known about a game's changelog before a snapshot: where its deployments continue from. */
export const FeedBefore = Schema.Struct({ deploymentId: Schema.NullOr(DeploymentId), lastSequence: Schema.Int })
export type FeedBefore = typeof FeedBefore.Type

/** What a reading said beyond the contract: distinct keys, and the records that have any of them. */
export const Drift = Schema.Struct({ keys: Schema.Int, records: Schema.Int })

/**
 * `manifest.json` of a snapshot, written last: a snapshot without one does not exist.
 * Sizes in bytes; sha256 in lower-case hex, of the file as it is there.
 */
export const Manifest = Schema.Struct({
  snapshot: SnapshotId,
  gameId: GameId,
  /** The reading it was made from: its raw pages are under this id. */
  runId: RunId,
  /** The dialect of its raw pages. Absent: the spec's. */
  dialect: Schema.optionalKey(DialectName),
  /** The file that says what the dialect is, so that its pages can be read without it. Absent: it is a known one. */
  dialectFile: Schema.optionalKey(StoredDialect),
  /** How it was read. Absent: page by page. */
  via: Schema.optionalKey(Via),
  /** The feed files that it was made from. */
  feeds: Schema.optionalKey(UsedFeeds),
  /** Changelog head of the reading, or the deployment that its feed files show; null when the feed has no entry. */
  deploymentId: Schema.NullOr(DeploymentId),
  deployedAt: Schema.NullOr(Schema.String),
  extractedAt: Schema.String,
  /** The snapshot that was published when this one was made; null = the game's first. */
  previous: Schema.NullOr(SnapshotId),
  /** Null = nothing was known. Enough to rebuild the snapshot after the one before is gone. */
  feedBefore: Schema.NullOr(FeedBefore),
  contractVersion: Schema.Int,
  cardlakeVersion: Schema.String,
  /** Greatest `sequence` of any deployment known so far. */
  lastSequence: Schema.Int,
  rounds: Schema.Int,
  refused: Schema.Int,
  drift: Drift,
  tables: recordOf(isPathBelow, Schema.Struct({ rows: Schema.Int, sizeBytes: Schema.Int, sha256: Schema.String })),
  checks: Schema.Array(QualityCheck)
})
export type Manifest = typeof Manifest.Type

/** A whole snapshot: its files and their manifest; staged in the work folder, or in the home. */
export interface SnapshotFolder {
  readonly folder: string
  readonly manifest: Manifest
}

/**
 * Every snapshot of a game in the home whose manifest can be read,
 * published or not, oldest first. `damagesOf` names the others.
 */
export const snapshotsOf = Effect.fnUntraced(function* (gameId: string) {
  const home = yield* Home
  const folders = (yield* snapshotIdsOf(gameId)).map((name) => home.snapshot(gameId, name))
  const found = yield* Effect.forEach(folders, readableSnapshot, { concurrency: 8 })
  return found.filter((snapshot) => snapshot !== null)
})

/** Those that were never published; the manifests of the many that were are not read. */
export const unpublishedOf = Effect.fnUntraced(function* (current: Current, gameId: string) {
  const home = yield* Home
  const ids = (yield* snapshotIdsOf(gameId)).filter((id) => !wasPublished(current, gameId, id))
  const found = yield* Effect.forEach(ids, (id) => readableSnapshot(home.snapshot(gameId, id)))
  return found.filter((snapshot) => snapshot !== null)
})

/** Ids of a game's snapshot folders, whole or not, oldest first. */
export const snapshotIdsOf = Effect.fnUntraced(function* (gameId: string) {
  const home = yield* Home
  const names = yield* foldersIn(join(home.snapshots, `game=${gameId}`), "snapshot=")
  return names.map((name) => SnapshotId.make(name))
})

/** Ids of the games that have a folder of snapshots. */
export const gamesWithSnapshots = Effect.gen(function* () {
  const home = yield* Home
  return yield* foldersIn(home.snapshots, "game=")
})

/** A snapshot by its folder in the home. */
export const readSnapshot = Effect.fnUntraced(function* (folder: string) {
  const file = join(folder, "manifest.json")
  const manifest = yield* readJson(file, Manifest)
  const { gameId, snapshot } = manifest
  if (basename(folder) !== `snapshot=${snapshot}` || basename(dirname(folder)) !== `game=${gameId}`) {
    return yield* new FileDamaged({ file, what: `it is the manifest of ${snapshot} of ${gameId}` })
  }
  yield* knownContract(file, manifest.contractVersion)
  return { folder, manifest } satisfies SnapshotFolder
})

/** A snapshot by its folder; null if its manifest cannot be read. */
export const readableSnapshot = (folder: string) =>
  Effect.catchTag(readSnapshot(folder), "FileDamaged", () => Effect.succeed(null))
