import { Schema, Effect } from "effect"
import { StoredDialect } from "../../feed/contract/dialect/DialectFile.ts"
import { DialectName } from "../../feed/contract/dialect/DialectName.ts"
import { Via, UsedFeeds } from "../../feed/contract/Via.ts"
import { GameId, RunId, SnapshotId, DeploymentId } from "../../feed/contract/Ids.ts"
import { isPathBelow, namedRecord, PathBelow } from "../../feed/guard/joinBelow.ts"
import { basename, dirname, join } from "node:path"
import { FileDamaged, foldersIn, isThere } from "./disk.ts"
import { knownContract, readJson } from "./jsonFile.ts"
import { Home, wasPublished, type Current } from "./Home.ts"

/** Result of a check from a table's header, run over its Parquet. */
export const QualityCheck = Schema.Struct({
  table: Schema.String,
  check: Schema.String,
  /** Rows (for a uniqueness: keys) that break it; 0 = passed. */
  violations: Schema.Int
})
export type QualityCheck = typeof QualityCheck.Type

/** Position in a game's changelog before a snapshot, from which its deployments continue. */
export const FeedBefore = Schema.Struct({ deploymentId: Schema.NullOr(DeploymentId), lastSequence: Schema.Int })
export type FeedBefore = typeof FeedBefore.Type

/** Keys of a reading that the contract does not know: distinct keys, and records with any of them. */
export const Drift = Schema.Struct({ keys: Schema.Int, records: Schema.Int })

/**
 * `manifest.json` of a snapshot, written last, so a snapshot without one does not exist. Sizes are in bytes; sha256 is
 * the lower-case hex checksum of the stored file.
 */
export const Manifest = Schema.Struct({
  snapshot: SnapshotId,
  gameId: GameId,
  /** The reading it was made from; names the folder of its raw pages. */
  runId: RunId,
  /** The dialect of its raw pages. Absent: the spec's. */
  dialect: Schema.optionalKey(DialectName),
  /** The stored definition of a custom dialect, needed to parse the pages. Absent for a built-in dialect. */
  dialectFile: Schema.optionalKey(StoredDialect),
  /** How it was read. Absent: page by page. */
  via: Schema.optionalKey(Via),
  feeds: Schema.optionalKey(UsedFeeds),
  /** Changelog head of the reading, or the deployment that its feed files show; null if the feed has no entry. */
  deploymentId: Schema.NullOr(DeploymentId),
  deployedAt: Schema.NullOr(Schema.String),
  extractedAt: Schema.String,
  /** The snapshot that was published when this one was made; null for the game's first. */
  previous: Schema.NullOr(SnapshotId),
  /** Null if nothing was known. Suffices to rebuild the snapshot after its predecessor is deleted. */
  feedBefore: Schema.NullOr(FeedBefore),
  contractVersion: Schema.Int,
  cardlakeVersion: Schema.String,
  /** Highest known `sequence` of any deployment. */
  lastSequence: Schema.Int,
  rounds: Schema.Int,
  refused: Schema.Int,
  drift: Drift,
  tables: namedRecord(isPathBelow, Schema.Struct({ rows: Schema.Int, sizeBytes: Schema.Int, sha256: Schema.String })),
  checks: Schema.Array(QualityCheck)
})
export type Manifest = typeof Manifest.Type

/** A complete snapshot, staged in the work folder or stored in the home. */
export interface SnapshotFolder {
  readonly folder: string
  readonly manifest: Manifest
}

/** Returns a game's snapshots with readable manifests, oldest first. `damagesOf` reports the others. */
export const readSnapshots = Effect.fnUntraced(function* (gameId: string) {
  const home = yield* Home
  const folders = (yield* listSnapshotIds(gameId)).map((name) => home.snapshot(gameId, name))
  const found = yield* Effect.forEach(folders, readableSnapshot, { concurrency: 8 })
  return found.filter((snapshot) => snapshot !== null)
})

/** Returns the snapshots that were never published, without reading the manifests of published ones. */
export const readUnpublished = Effect.fnUntraced(function* (current: Current, gameId: string) {
  const home = yield* Home
  const ids = (yield* listSnapshotIds(gameId)).filter((id) => !wasPublished(current, gameId, id))
  const found = yield* Effect.forEach(ids, (id) => readableSnapshot(home.snapshot(gameId, id)))
  return found.filter((snapshot) => snapshot !== null)
})

/** Returns the ids of a game's snapshot folders, complete or not, oldest first. */
export const listSnapshotIds = Effect.fnUntraced(function* (gameId: string) {
  const home = yield* Home
  const names = yield* foldersIn(join(home.snapshots, `game=${gameId}`), "snapshot=")
  return names.map((name) => SnapshotId.make(name))
})

export const gamesWithSnapshots = Effect.gen(function* () {
  const home = yield* Home
  return yield* foldersIn(home.snapshots, "game=")
})

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

/** Returns the snapshot in a folder; null if its manifest cannot be read. */
export const readableSnapshot = (folder: string) =>
  Effect.catchTag(readSnapshot(folder), "FileDamaged", () => Effect.succeed(null))

/** A file in a snapshot or a part: sizes in bytes, sha256 in lower-case hex. */
const KeptFile = Schema.Struct({ rows: Schema.Int, sizeBytes: Schema.Int, sha256: Schema.String })

/** A night in a part: the fields of its manifest that the history needs after pruning. */
export const PartNight = Schema.Struct({
  snapshot: SnapshotId,
  /** Absent: the spec's. */
  dialect: Schema.optionalKey(DialectName),
  deploymentId: Schema.NullOr(DeploymentId),
  deployedAt: Schema.NullOr(Schema.String),
  extractedAt: Schema.String,
  /** The night that its versions follow; null for the game's first, which has all items. */
  follows: Schema.NullOr(SnapshotId),
  /** The original files of its prices, by table. */
  tables: namedRecord(isPathBelow, KeptFile)
})
export type PartNight = typeof PartNight.Type

/**
 * `part.json`, written last, so a folder without it is not a part. A part holds a game's prices and versions of one UTC
 * month. The newest part of a month counts and includes all earlier ones.
 */
export const Part = Schema.Struct({
  gameId: GameId,
  /** E.g. 2026-05. */
  month: PathBelow,
  /** The run that wrote it. */
  part: RunId,
  cardlakeVersion: Schema.String,
  contractVersion: Schema.Int,
  /** Oldest first. */
  nights: Schema.Array(PartNight),
  tables: namedRecord(isPathBelow, KeptFile)
})
export type Part = typeof Part.Type

export interface PartFolder {
  readonly folder: string
  readonly part: Part
}

/** A folder of a part, complete or not. */
export interface FoundPart {
  readonly month: string
  readonly run: RunId
  readonly folder: string
  readonly isWhole: boolean
}

/** Returns every part folder of a game, by month, oldest first. */
export const listPartFolders = Effect.fnUntraced(function* (gameId: string) {
  const home = yield* Home
  const months = yield* foldersIn(home.months(gameId), "month=")
  const found = yield* Effect.forEach(
    months,
    Effect.fnUntraced(function* (month) {
      const runs = yield* foldersIn(join(home.months(gameId), `month=${month}`), "part=")
      return runs.map((name): FoundPart => {
        const run = RunId.make(name)
        const folder = home.part(gameId, month, run)
        return { month, run, folder, isWhole: isThere(join(folder, "part.json")) }
      })
    })
  )
  return found.flat()
})

/** Returns the newest folder of each month, the one that counts. */
export const presentFolders = (found: ReadonlyArray<FoundPart>): ReadonlyArray<FoundPart> => [
  ...new Map(found.map((one) => [one.month, one])).values()
]

/**
 * Returns a game's parts, oldest month first. Fails with {@link FileDamaged} if a `part.json` is missing, because
 * that part may be the only one with some nights.
 */
export const listParts = Effect.fnUntraced(function* (gameId: string) {
  const present = presentFolders(yield* listPartFolders(gameId))
  return yield* Effect.forEach(present, readPart(gameId))
})

export const readPart = (gameId: string) =>
  Effect.fnUntraced(function* ({ folder, month, run }: FoundPart) {
    const file = join(folder, "part.json")
    const part = yield* readJson(file, Part)
    if (part.gameId !== gameId || part.month !== month || part.part !== run) {
      return yield* new FileDamaged({
        file,
        what: `it belongs to ${part.month} of ${part.gameId}, written by ${part.part}`
      })
    }
    yield* knownContract(file, part.contractVersion)
    return { folder, part } satisfies PartFolder
  })
