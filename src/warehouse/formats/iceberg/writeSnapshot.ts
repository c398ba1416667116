import type { DataFile, ManifestEntry, ManifestFile } from "./avro.ts"
import { status, type NewManifest, manifestBytes, describeManifest, manifestListBytes } from "./manifests.ts"
import type { IcebergSpec } from "./tableSchema.ts"
import { join } from "node:path"
import { Clock, Effect } from "effect"
import { lakeStep } from "../../../feed/reading/LakeError.ts"
import type { Destination } from "../../destination/Destination.ts"
import { type Catalogue, type CatalogueTable, committed, type TableCommit } from "./Catalogue.ts"
import { openManifest, type ReadManifest } from "./readManifests.ts"
import { currentSnapshot, type Snapshot } from "./TableMetadata.ts"

export interface AddedFile {
  readonly spec: IcebergSpec
  readonly file: DataFile
}

/** The effect of a commit on a table's manifests. */
export interface CommitPlan {
  readonly operation: "append" | "delete" | "overwrite" | "replace"
  /** Manifests to write. */
  readonly written: ReadonlyArray<NewManifest>
  readonly unchanged: ReadonlyArray<ManifestFile>
  readonly added: ReadonlyArray<DataFile>
  readonly deleted: ReadonlyArray<DataFile>
}

const isLive = (entry: ManifestEntry) => entry.status !== status.deleted

/** Returns the current files of manifests, as far as their entries were read. */
export const listLive = (manifests: ReadonlyArray<ReadManifest>): ReadonlyArray<DataFile> =>
  manifests.flatMap(({ entries }) => (entries ?? []).filter(isLive).map((entry) => entry.data_file))

/** Returns an entry for a rewritten manifest: numbers that it inherited are now explicit. */
export const carried = (entry: ManifestEntry, manifest: ManifestFile, deletedBy: number | null): ManifestEntry => ({
  status: deletedBy === null ? status.existing : status.deleted,
  snapshot_id: deletedBy ?? entry.snapshot_id ?? manifest.added_snapshot_id,
  sequence_number: entry.sequence_number ?? manifest.sequence_number,
  file_sequence_number: entry.file_sequence_number ?? manifest.sequence_number,
  data_file: entry.data_file
})

/** Merges manifests of the same partitioning. */
const bySpec = (all: ReadonlyArray<NewManifest>): ReadonlyArray<NewManifest> =>
  [...new Set(all.map(({ spec }) => spec))].map((spec) => ({
    spec,
    entries: all.flatMap((one) => (one.spec === spec ? one.entries : []))
  }))

/** Plans the removal of files by address and the addition of others. `specs` are the table's partitionings. */
export const planCommit = (
  manifests: ReadonlyArray<ReadManifest>,
  displaced: ReadonlySet<string>,
  added: ReadonlyArray<AddedFile>,
  { snapshotId, specs }: { readonly snapshotId: number; readonly specs: ReadonlyArray<IcebergSpec> }
): CommitPlan => {
  const deleted: Array<DataFile> = []
  const unchanged: Array<ManifestFile> = []
  const rewritten: Array<NewManifest> = []
  const isDisplaced = (entry: ManifestEntry) => isLive(entry) && displaced.has(entry.data_file.file_path)
  for (const { entries, manifest } of manifests) {
    const out = (entries ?? []).filter(isDisplaced)
    const spec = specs.find((one) => one["spec-id"] === manifest.partition_spec_id)
    if (out.length === 0 || spec === undefined) {
      // Entries about files deleted by an earlier snapshot are no longer needed.
      if (manifest.added_files_count + manifest.existing_files_count > 0) unchanged.push(manifest)
      continue
    }
    deleted.push(...out.map((entry) => entry.data_file))
    const stay = (entries ?? []).filter(isLive)
    rewritten.push({
      spec,
      entries: stay.map((entry) => carried(entry, manifest, isDisplaced(entry) ? snapshotId : null))
    })
  }
  const ofAdded = added.map(({ file, spec }): NewManifest => ({
    spec,
    entries: [
      {
        status: status.added,
        snapshot_id: snapshotId,
        sequence_number: null,
        file_sequence_number: null,
        data_file: file
      }
    ]
  }))
  const operation = deleted.length === 0 ? "append" : added.length === 0 ? "delete" : "overwrite"
  return {
    operation,
    written: [...bySpec(ofAdded), ...bySpec(rewritten)],
    unchanged,
    added: added.map(({ file }) => file),
    deleted
  }
}

const sum = (files: ReadonlyArray<DataFile>, figure: "file_size_in_bytes" | "record_count") =>
  files.reduce((total, file) => total + file[figure], 0)

/** Returns a snapshot's summary: counts under the format's keys, facts of the partition under Cardlake's. */
export const snapshotSummary = (
  { added, deleted, operation }: CommitPlan,
  before: Snapshot | null,
  facts: Readonly<Record<string, string>>
): Snapshot["summary"] => {
  const figures = {
    "data-files": [added.length, deleted.length],
    records: [sum(added, "record_count"), sum(deleted, "record_count")],
    "files-size": [sum(added, "file_size_in_bytes"), sum(deleted, "file_size_in_bytes")]
  } as const
  const totals: Record<string, string> = {}
  for (const [name, [more, less]] of Object.entries(figures)) {
    const had = Number(before?.summary[`total-${name}`] ?? 0)
    if (more > 0) totals[`added-${name}`] = String(more)
    if (less > 0) totals[name === "files-size" ? "removed-files-size" : `deleted-${name}`] = String(less)
    totals[`total-${name}`] = String(had + more - less)
  }
  return {
    operation,
    ...totals,
    "changed-partition-count": String(
      new Set([...added, ...deleted].map(({ partition: { dt, game } }) => `${game} ${dt}`)).size
    ),
    "total-delete-files": "0",
    "total-position-deletes": "0",
    "total-equality-deletes": "0",
    ...facts
  }
}

/** Defaults of Iceberg's `commit.manifest.min-count-to-merge` and `commit.manifest.target-size-bytes`. */
const manyManifests = 100
const largeBytes = 8 * 1024 * 1024

/** Returns unchanged manifests to merge into one; empty if there are few. */
export const manifestsToMerge = ({ unchanged }: CommitPlan): ReadonlyArray<ManifestFile> => {
  // Other programs may have written delete manifests or other partitionings.
  const own = unchanged.filter(
    ({ content, manifest_length: bytes, partition_spec_id: spec }) => content === 0 && spec === 0 && bytes < largeBytes
  )
  return own.length < manyManifests ? [] : own
}

/** Returns the plan with these manifests merged. Earlier snapshots still refer to the old manifests. */
export const withMerged = (plan: CommitPlan, merged: ReadonlyArray<ReadManifest>, spec: IcebergSpec): CommitPlan => {
  const displaced = new Set(merged.map(({ manifest }) => manifest))
  const entries = merged.flatMap(({ entries: own, manifest }) =>
    (own ?? []).filter(isLive).map((entry) => carried(entry, manifest, null))
  )
  return {
    ...plan,
    written: [...plan.written, { spec, entries }],
    unchanged: plan.unchanged.filter((manifest) => !displaced.has(manifest))
  }
}

/** A plan with the schema, partitioning and summary of its snapshot. */
export interface NewSnapshot extends Pick<TableCommit, "schema" | "spec"> {
  readonly id: number
  readonly plan: CommitPlan
  readonly daySpec: IcebergSpec
  readonly facts: Readonly<Record<string, string>>
}

/** Writes a plan's manifests and commits them as a snapshot. Returns the table after it. */
export const writeSnapshot = Effect.fnUntraced(function* (
  to: Destination,
  catalogue: Catalogue,
  stage: string,
  found: CatalogueTable,
  { daySpec, facts, id, plan: planned, schema, spec }: NewSnapshot
) {
  const { metadata, name } = found
  const present = currentSnapshot(metadata)
  const putBytes = Effect.fnUntraced(function* (path: string, made: () => Promise<Buffer>) {
    const staged = join(stage, "metadata.avro")
    const bytes = yield* lakeStep(`Create ${to.root}/${path}`, async (disk) => {
      const content = await made()
      await disk.write(staged, content)
      return content.length
    })
    yield* to.put(path, staged)
    return bytes
  })

  // Merging limits the number of manifests that a query reads.
  const many = manifestsToMerge(planned)
  const merged = yield* Effect.forEach(many, (manifest) => openManifest(to, stage, name, manifest))
  const plan = many.length === 0 ? planned : withMerged(planned, merged, daySpec)
  const list = `${name}/metadata/snap-${id}.avro`
  const parent = present?.["snapshot-id"] ?? null
  const snapshot: Snapshot = {
    "snapshot-id": id,
    ...(parent === null ? {} : { "parent-snapshot-id": parent }),
    "sequence-number": metadata["last-sequence-number"] + 1,
    "timestamp-ms": Math.max(yield* Clock.currentTimeMillis, metadata["last-updated-ms"] + 1),
    "manifest-list": `${to.root}/${list}`,
    "schema-id": schema?.["schema-id"] ?? metadata["current-schema-id"],
    summary: snapshotSummary(plan, present, facts)
  }
  const commit = { schema, spec, snapshot }
  const after = committed(metadata, commit, "")
  const written: Array<ManifestFile> = []
  for (const [index, manifest] of plan.written.entries()) {
    const path = `${name}/metadata/${id}-m${index}.avro`
    const bytes = yield* putBytes(path, () => manifestBytes(after, manifest))
    written.push(describeManifest(`${to.root}/${path}`, bytes, snapshot, manifest))
  }
  yield* putBytes(list, () => manifestListBytes(snapshot, parent, [...written, ...plan.unchanged]))
  return yield* catalogue.commit(found, commit)
})
