import { Schema, Effect } from "effect"
import { GameId, DeploymentId, SnapshotId } from "../../feed/contract/Ids.ts"
import { isPathBelow, namedRecord } from "../../feed/guard/joinBelow.ts"
import { join } from "node:path"
import { FileDamaged, type FileOnRecord, isThere, replace } from "./disk.ts"
import { Home } from "./Home.ts"
import type { Manifest } from "./Manifest.ts"
import { readJson, writeJson } from "./jsonFile.ts"

/** Counts of external ids that look wrong, by kind; view `id_audit` explains the kinds. */
export const IdAudit = Schema.Struct({
  shared: Schema.Int,
  doubled: Schema.Int,
  moved: Schema.Int,
  missing: Schema.Int,
  apart: Schema.Int
})
export type IdAudit = typeof IdAudit.Type

/** Counts of changed items of an entity. `modified` counts an item once, however many fields changed. */
export const ProductChanges = Schema.Struct({
  added: Schema.Int,
  removed: Schema.Int,
  modified: Schema.Int,
  /** Products with a changed field that is not a price. */
  modifiedCatalogue: Schema.Int,
  /** Products with a changed price figure. */
  modifiedPrice: Schema.Int
})

/** Claims compared with computed changes, in items. `unexplained`: neither confirmed nor explained. */
export const ReconciliationCounts = Schema.Struct({
  confirmed: Schema.Int,
  claimedNotSeen: Schema.Int,
  seenNotClaimed: Schema.Int,
  unexplained: Schema.Int,
  /** Items explained by their number alone. Absent: none. */
  byCount: Schema.optionalKey(Schema.Int)
})

/** `diff.json` beside the Parquet of a step: counts of the changes between two snapshots of a game. */
export const Diff = Schema.Struct({
  gameId: GameId,
  from: SnapshotId,
  to: SnapshotId,
  fromDeployment: Schema.NullOr(DeploymentId),
  toDeployment: Schema.NullOr(DeploymentId),
  changes: Schema.Struct({ products: ProductChanges, expansions: ProductChanges }),
  /** Removed products that no deployment claims. */
  unclaimedRemovals: Schema.Int,
  contradictions: Schema.Int,
  /** Null if the later snapshot has the older deployment, because the changelog claims nothing backwards. */
  reconciliation: Schema.NullOr(ReconciliationCounts),
  /** The compared night in the later way of reading, if the two ways differ. Absent: there was none. */
  lastByVia: Schema.optionalKey(SnapshotId),
  /** The Parquet files beside it and their valid sha256 checksums; two while a file is being replaced. */
  files: namedRecord(isPathBelow, Schema.Array(Schema.String))
})
export type Diff = typeof Diff.Type

/** Reads the document of a snapshot's changes. Fails with `FileDamaged` if it is missing or belongs to others. */
const readWritten = Effect.fnUntraced(function* (folder: string, gameId: string, snapshot: SnapshotId) {
  const file = join(folder, "diff.json")
  const diff = yield* readJson(file, Diff)
  if (diff.gameId === gameId && diff.to === snapshot) return diff
  return yield* new FileDamaged({ file, what: `it counts the changes of ${diff.to} of ${diff.gameId}` })
})

/** Returns the counts of a snapshot's changes; null for a game's first. */
export const readDiff = Effect.fnUntraced(function* (gameId: string, { snapshot }: Pick<Manifest, "snapshot">) {
  const folder = (yield* Home).changes(gameId, snapshot)
  return isThere(join(folder, "diff.json")) ? yield* readWritten(folder, gameId, snapshot) : null
})

/** Returns the recorded files of a snapshot's changes; empty if it has no predecessor. */
export const changesFiles = Effect.fnUntraced(function* (gameId: string, snapshot: SnapshotId) {
  const folder = (yield* Home).changes(gameId, snapshot)
  const files: Diff["files"] = isThere(folder) ? (yield* readWritten(folder, gameId, snapshot)).files : {}
  return Object.entries(files).map(([name, sha256]): FileOnRecord => ({
    file: join(folder, name),
    sizeBytes: null,
    sha256
  }))
})

/**
 * Replaces a snapshot's changes file by file with those recomputed in `staged`. Every file exists even if the run
 * dies; until the end, a file may have its old or its new checksum.
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
