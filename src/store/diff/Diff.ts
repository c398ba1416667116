import { Schema } from "effect"
import { GameId, DeploymentId, SnapshotId } from "../../feed/contract/Ids.ts"
import { isPathBelow, recordOf } from "../../feed/guard/joinBelow.ts"

/** How many items of an entity changed. `modified` counts an item once, whatever moved. */
export const ProductChanges = Schema.Struct({
  added: Schema.Int,
  removed: Schema.Int,
  modified: Schema.Int,
  /** With at least one changed field that is not a price. */
  modifiedCatalogue: Schema.Int,
  /** With at least one price figure moved. */
  modifiedPrice: Schema.Int
})

/** Claims of the changelog against what was computed, in items. `unexplained`: neither confirmed nor explained. */
export const ReconciliationCounts = Schema.Struct({
  confirmed: Schema.Int,
  claimedNotSeen: Schema.Int,
  seenNotClaimed: Schema.Int,
  unexplained: Schema.Int,
  /** Explained by their number alone; absent: none. */
  byCount: Schema.optionalKey(Schema.Int)
})

/** `diff.json` beside the Parquet of a step: what changed between two snapshots of a game, counted. */
export const Diff = Schema.Struct({
  gameId: GameId,
  from: SnapshotId,
  to: SnapshotId,
  fromDeployment: Schema.NullOr(DeploymentId),
  toDeployment: Schema.NullOr(DeploymentId),
  changes: Schema.Struct({ products: ProductChanges, expansions: ProductChanges }),
  /** Products that disappeared without a deployment saying so. */
  unclaimedRemovals: Schema.Int,
  /** Where the feed contradicts itself. */
  contradictions: Schema.Int,
  /** Null if the later snapshot's deployment is the older one: the changelog claims nothing backwards. */
  reconciliation: Schema.NullOr(ReconciliationCounts),
  /** Between two roads: the last night by the later one's, which tells what the earlier one does not. Absent: there was none. */
  lastOfRoad: Schema.optionalKey(SnapshotId),
  /** The Parquet files beside it and the sha256 each may have; two while one is replaced. */
  files: recordOf(isPathBelow, Schema.Array(Schema.String))
})
export type Diff = typeof Diff.Type
