import { Schema, Effect } from "effect"
import { GameId, DeploymentId, SnapshotId } from "../../feed/contract/Ids.ts"
import { isPathBelow, recordOf } from "../../feed/guard/joinBelow.ts"
import { join } from "node:path"
import { FileDamaged } from "../home/verifyFile.ts"
import { Home } from "../home/Home.ts"
import type { Manifest } from "../home/Manifest.ts"
import { readJson, writeJson } from "../home/jsonFile.ts"
import { isThere, replace } from "../home/disk.ts"

/** How many ids in other systems look wrong, by kind; the view `id_audit` explains the kinds. */
export const IdAudit = Schema.Struct({
  shared: Schema.Int,
  doubled: Schema.Int,
  moved: Schema.Int,
  missing: Schema.Int,
  apart: Schema.Int
})
export type IdAudit = typeof IdAudit.Type

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
  /** between two ways of reading: the last night by the later one's, which tells what the earlier one does not. Absent: there was none. */
  lastByVia: Schema.optionalKey(SnapshotId),
  /** The Parquet files beside it and the sha256 each may have; two while one is replaced. */
  files: recordOf(isPathBelow, Schema.Array(Schema.String))
})
export type Diff = typeof Diff.Type

/** The counts of what changed when a snapshot was made; null for a game's first. */
export const readDiff = Effect.fnUntraced(function* (gameId: string, { snapshot }: Pick<Manifest, "snapshot">) {
  const file = join((yield* Home).changes(gameId, snapshot), "diff.json")
  if (!isThere(file)) return null
  const diff = yield* readJson(file, Diff)
  if (diff.gameId === gameId && diff.to === snapshot) return diff
  return yield* new FileDamaged({ file, what: `it counts the changes of ${diff.to} of ${diff.gameId}` })
})

/**
 * Replaces a snapshot's changes with those computed again into `staged`, file by file, so that every file is there
 * even if the run dies. In between, a file may have its old or its new sum.
 */
export const replaceChanges = Effect.fn("replaceChanges")(function* (staged: string, diff: Diff) {
  const folder = (yield* Home).changes(diff.gameId, diff.to)
  const fresh = diff.files
  const old = yield* Effect.orElseSucceed(readDiff(diff.gameId, { snapshot: diff.to }), () => null)
  if (old !== null) {
    const both = Object.entries(fresh).map(([name, sums]) => [name, [...(old.files[name] ?? []), ...sums]] as const)
    yield* writeJson(join(folder, "diff.json"), Diff, { ...old, files: Object.fromEntries(both) })
  }
  for (const name of Object.keys(fresh)) yield* replace(join(staged, name), join(folder, name))
  yield* writeJson(join(folder, "diff.json"), Diff, diff)
})
