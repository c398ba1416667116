import type { DataFile, ManifestEntry, ManifestFile } from "./avro.ts"
import { status, type NewManifest } from "./manifests.ts"
import type { IcebergSpec } from "./tableSchema.ts"

/** A manifest of the current snapshot with its entries, if they had to be read. */
export interface ReadManifest {
  readonly manifest: ManifestFile
  /** Null = it cannot contain the changed files. */
  readonly entries: ReadonlyArray<ManifestEntry> | null
}

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

export const isLive = (entry: ManifestEntry) => entry.status !== status.deleted

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
