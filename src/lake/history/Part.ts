import { Effect, Schema } from "effect"
import { RunId, SnapshotId, DeploymentId } from "../../contract/Ids.ts"

/** A file as it lies in a snapshot or a part: sizes in bytes, sha256 in lower-case hex. */
const KeptFile = Schema.Struct({ rows: Schema.Int, sizeBytes: Schema.Int, sha256: Schema.String })

/** A night of a part: what the history needs of its manifest, which may be pruned. */
export const PartNight = Schema.Struct({
  snapshot: SnapshotId,
  deploymentId: Schema.NullOr(DeploymentId),
  deployedAt: Schema.NullOr(Schema.String),
  extractedAt: Schema.String,
  /** The night that its versions go on from; null = the game's first, with all that it holds. */
  follows: Schema.NullOr(SnapshotId),
  /** The files that its prices came from, by table. */
  tables: Schema.Record(Schema.String, KeptFile)
})
export type PartNight = typeof PartNight.Type

/**
 * `part.json`, written last: a folder without it is not a part. A part holds a game's prices and versions of one
 * month, UTC. Of several parts of a month the newest counts; it holds all that the earlier ones do.
 */
export const Part = Schema.Struct({
  gameId: Schema.String,
  /** As 2026-05. */
  month: Schema.String,
  /** The run that wrote it. */
  part: RunId,
  cardlakeVersion: Schema.String,
  /** As in a manifest. The first parts do not say: 1. */
  contractVersion: Schema.Int.pipe(Schema.withDecodingDefaultKey(Effect.succeed(1))),
  /** Oldest first. */
  nights: Schema.Array(PartNight),
  tables: Schema.Record(Schema.String, KeptFile)
})
export type Part = typeof Part.Type
