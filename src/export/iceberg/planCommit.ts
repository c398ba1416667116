import { status, type DataFile, type ManifestEntry, type ManifestFile, type PartitionValues } from "./manifests.ts"

/** A manifest of the current snapshot with its entries, if they had to be read. */
export interface ReadManifest {
  readonly manifest: ManifestFile
  /** Null = it cannot hold what changes. */
  readonly entries: ReadonlyArray<ManifestEntry> | null
}

/** What a commit does to a table's manifests; null = nothing. */
export interface CommitPlan {
  readonly operation: "append" | "delete" | "overwrite"
  /** Manifests to write. */
  readonly written: ReadonlyArray<ReadonlyArray<ManifestEntry>>
  /** Manifests that stay as they are. */
  readonly unchanged: ReadonlyArray<ManifestFile>
  readonly added: ReadonlyArray<DataFile>
  readonly deleted: ReadonlyArray<DataFile>
}

export const isLive = (entry: ManifestEntry) => entry.status !== status.deleted

/** An entry of a rewritten manifest: numbers that it inherited from its manifest become its own. */
export const carried = (entry: ManifestEntry, manifest: ManifestFile, deletedBy: number | null): ManifestEntry => ({
  status: deletedBy === null ? status.existing : status.deleted,
  snapshot_id: deletedBy ?? entry.snapshot_id ?? manifest.added_snapshot_id,
  sequence_number: entry.sequence_number ?? manifest.sequence_number,
  file_sequence_number: entry.file_sequence_number ?? manifest.sequence_number,
  data_file: entry.data_file
})

const isOf =
  ({ dt, game }: PartitionValues) =>
  (entry: ManifestEntry) =>
    entry.data_file.partition.game === game && entry.data_file.partition.dt === dt

/** Replaces everything in a partition with a file, or with nothing. */
export const planCommit = (
  partition: PartitionValues,
  file: DataFile | null,
  manifests: ReadonlyArray<ReadManifest>,
  snapshotId: number
): CommitPlan | null => {
  const isHere = isOf(partition)
  const deleted: Array<DataFile> = []
  const unchanged: Array<ManifestFile> = []
  const rewritten: Array<ReadonlyArray<ManifestEntry>> = []
  for (const { entries, manifest } of manifests) {
    const gone = (entries ?? []).filter((entry) => isLive(entry) && isHere(entry))
    if (gone.length === 0) {
      // Entries about files deleted by an earlier snapshot are no longer needed.
      if (manifest.added_files_count + manifest.existing_files_count > 0) unchanged.push(manifest)
      continue
    }
    deleted.push(...gone.map((entry) => entry.data_file))
    rewritten.push(
      (entries ?? []).filter(isLive).map((entry) => carried(entry, manifest, gone.includes(entry) ? snapshotId : null))
    )
  }
  if (deleted.length === (file === null ? 0 : 1) && deleted[0]?.file_path === file?.file_path) return null
  const added = file === null ? [] : [file]
  const ofAdded = added.map((one): ReadonlyArray<ManifestEntry> => [
    { status: status.added, snapshot_id: snapshotId, sequence_number: null, file_sequence_number: null, data_file: one }
  ])
  const operation = deleted.length === 0 ? "append" : added.length === 0 ? "delete" : "overwrite"
  return { operation, written: [...ofAdded, ...rewritten], unchanged, added, deleted }
}
