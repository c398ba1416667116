import { Schema } from "effect"
import { DialectName } from "../../feed/contract/dialect/DialectName.ts"
import { GameId, RunId, SnapshotId, DeploymentId } from "../../feed/contract/Ids.ts"
import { isPathBelow, PathBelow, recordOf } from "../../feed/guard/joinBelow.ts"

/** A file in a snapshot or a part: sizes in bytes, sha256 in lower-case hex. */
const KeptFile = Schema.Struct({ rows: Schema.Int, sizeBytes: Schema.Int, sha256: Schema.String })

/** A night of a part: what the history needs from its manifest, which may be pruned. */
export const PartNight = Schema.Struct({
  snapshot: SnapshotId,
  /** The words that it was read in. Absent: the spec's. */
  dialect: Schema.optionalKey(DialectName),
  deploymentId: Schema.NullOr(DeploymentId),
  deployedAt: Schema.NullOr(Schema.String),
  extractedAt: Schema.String,
  /** The night that its versions follow; null = the game's first, with everything in it. */
  follows: Schema.NullOr(SnapshotId),
  /** The files that its prices came from, by table. */
  tables: recordOf(isPathBelow, KeptFile)
})
export type PartNight = typeof PartNight.Type

/**
 * `part.json`, written last: a folder without it is not a part. A part holds a game's prices and versions of one
 * month, UTC. Of several parts of a month, the newest counts; it has everything that the earlier ones have.
 */
export const Part = Schema.Struct({
  gameId: GameId,
  /** Such as 2026-05. */
  month: PathBelow,
  /** The run that wrote it. */
  part: RunId,
  cardlakeVersion: Schema.String,
  /** As in a manifest. */
  contractVersion: Schema.Int,
  /** Oldest first. */
  nights: Schema.Array(PartNight),
  tables: recordOf(isPathBelow, KeptFile)
})
export type Part = typeof Part.Type
