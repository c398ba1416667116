import {
  avroFile,
  type FieldSummary,
  type ManifestEntry,
  manifestEntrySchema,
  type ManifestFile,
  manifestFileSchema
} from "./avro.ts"
import type { IcebergSpec } from "./tableSchema.ts"
import type { Snapshot, TableMetadata } from "./TableMetadata.ts"

/** The change of a snapshot to a file. */
export const status = { existing: 0, added: 1, deleted: 2 } as const

const dayBytes = (day: number): Buffer => {
  const bytes = Buffer.alloc(4)
  bytes.writeInt32LE(day)
  return bytes
}

const summarize = (values: ReadonlyArray<Buffer | null>, compare: (a: Buffer, b: Buffer) => number): FieldSummary => {
  const there = values.filter((value) => value !== null).toSorted(compare)
  return {
    contains_null: there.length < values.length,
    contains_nan: false,
    lower_bound: there[0] ?? null,
    upper_bound: there.at(-1) ?? null
  }
}

const summarizeEntries = (entries: ReadonlyArray<ManifestEntry>, hasDay: boolean): ReadonlyArray<FieldSummary> => {
  const partitions = entries.map((entry) => entry.data_file.partition)
  const games = partitions.map(({ game }) => (game === null ? null : Buffer.from(game)))
  const days = partitions.map(({ dt = null }) => (dt === null ? null : dayBytes(dt)))
  return [
    summarize(games, Buffer.compare),
    ...(hasDay ? [summarize(days, (a, b) => a.readInt32LE() - b.readInt32LE())] : [])
  ]
}

/** True if a manifest may contain files of a partition. */
export const mayHold = ({ partitions }: ManifestFile, { dt, game }: { readonly dt: number; readonly game: string }) => {
  const [games, days] = partitions ?? []
  if (games === undefined || games.lower_bound === null || games.upper_bound === null) return true
  const wanted = Buffer.from(game)
  if (Buffer.compare(games.lower_bound, wanted) > 0 || Buffer.compare(games.upper_bound, wanted) < 0) return false
  if (days === undefined || days.lower_bound === null || days.upper_bound === null) return true
  return days.lower_bound.readInt32LE() <= dt && dt <= days.upper_bound.readInt32LE()
}

/** A manifest to write: files of one partitioning. */
export interface NewManifest {
  readonly spec: IcebergSpec
  readonly entries: ReadonlyArray<ManifestEntry>
}
const hasDays = (spec: IcebergSpec) => spec.fields.length > 1

export const manifestBytes = (metadata: TableMetadata, { entries, spec }: NewManifest) => {
  const schema = metadata.schemas.find((one) => one["schema-id"] === metadata["current-schema-id"])
  return avroFile(
    manifestEntrySchema(hasDays(spec)),
    {
      schema: JSON.stringify(schema),
      "schema-id": String(metadata["current-schema-id"]),
      "partition-spec": JSON.stringify(spec.fields),
      "partition-spec-id": String(spec["spec-id"]),
      "format-version": "2",
      content: "data"
    },
    entries
  )
}

const count = (entries: ReadonlyArray<ManifestEntry>, wanted: number) => {
  const files = entries.filter((entry) => entry.status === wanted)
  return { files: files.length, rows: files.reduce((sum, entry) => sum + entry.data_file.record_count, 0) }
}

/** Returns the manifest list's entry for a manifest with these entries. */
export const describeManifest = (
  path: string,
  bytes: number,
  snapshot: Pick<Snapshot, "snapshot-id" | "sequence-number">,
  { entries, spec }: NewManifest
): ManifestFile => {
  const added = count(entries, status.added)
  const existing = count(entries, status.existing)
  const deleted = count(entries, status.deleted)
  const live = entries.filter((entry) => entry.status !== status.deleted)
  return {
    manifest_path: path,
    manifest_length: bytes,
    partition_spec_id: spec["spec-id"],
    content: 0,
    sequence_number: snapshot["sequence-number"],
    min_sequence_number: Math.min(
      snapshot["sequence-number"],
      ...live.map((entry) => entry.sequence_number ?? snapshot["sequence-number"])
    ),
    added_snapshot_id: snapshot["snapshot-id"],
    added_files_count: added.files,
    existing_files_count: existing.files,
    deleted_files_count: deleted.files,
    added_rows_count: added.rows,
    existing_rows_count: existing.rows,
    deleted_rows_count: deleted.rows,
    partitions: summarizeEntries(entries, hasDays(spec)),
    key_metadata: null
  }
}

export const manifestListBytes = (
  snapshot: Pick<Snapshot, "snapshot-id" | "sequence-number">,
  parent: number | null,
  manifests: ReadonlyArray<ManifestFile>
) =>
  avroFile(
    manifestFileSchema,
    {
      "snapshot-id": String(snapshot["snapshot-id"]),
      "parent-snapshot-id": String(parent),
      "sequence-number": String(snapshot["sequence-number"]),
      "format-version": "2"
    },
    manifests
  )
