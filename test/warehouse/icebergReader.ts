import { avroMetadata, avroRead } from "icebird"
import { readFileSync } from "node:fs"

/** A file's bytes by the address that a table has for it. */
export type ReadBytes = (address: string) => Buffer

interface ReadSnapshot {
  readonly "snapshot-id": number
  readonly "parent-snapshot-id"?: number
  readonly "sequence-number": number
  readonly "timestamp-ms": number
  readonly "manifest-list": string
  readonly summary: Readonly<Record<string, string>>
}
export interface ReadMetadata {
  readonly location: string
  readonly "current-snapshot-id": number
  readonly "current-schema-id": number
  readonly schemas: ReadonlyArray<{
    readonly "schema-id": number
    readonly fields: ReadonlyArray<{ readonly id: number; readonly name: string; readonly type: string }>
  }>
  readonly snapshots: ReadonlyArray<ReadSnapshot>
}

interface KeyValue {
  readonly key: number
  readonly value: unknown
}
export interface LiveFile {
  readonly file_path: string
  readonly record_count: bigint
  readonly file_size_in_bytes: bigint
  readonly lower_bounds: ReadonlyArray<KeyValue>
  readonly upper_bounds: ReadonlyArray<KeyValue>
  readonly null_value_counts: ReadonlyArray<KeyValue>
}

/** Records and header words of an Avro file, by a reader that shares no code with the writer. */
export const avroFileOf = (bytes: Buffer) => {
  const { buffer } = new Uint8Array(bytes)
  const reader = { view: new DataView(buffer), offset: 0 }
  const { metadata, syncMarker } = avroMetadata(reader)
  return { header: metadata, records: avroRead({ reader, metadata, syncMarker }) }
}

/** A folder's file as it lies there. */
export const fromDisk: ReadBytes = (address) => readFileSync(address)

/** The metadata that `version-hint.text` leads to. */
export const metadataOf = (location: string, read: ReadBytes = fromDisk): ReadMetadata => {
  const version = read(`${location}/metadata/version-hint.text`).toString()
  return JSON.parse(read(`${location}/metadata/v${version}.metadata.json`).toString()) as ReadMetadata
}

/** Files of a table as of a snapshot, by default the current one, found as specified. */
export const liveFiles = (
  metadata: ReadMetadata,
  snapshotId = metadata["current-snapshot-id"],
  read: ReadBytes = fromDisk
): ReadonlyArray<LiveFile> => {
  const snapshot = metadata.snapshots.find((one) => one["snapshot-id"] === snapshotId)
  if (snapshot === undefined) return []
  return avroFileOf(read(snapshot["manifest-list"])).records.flatMap((manifest) =>
    avroFileOf(read(String(manifest["manifest_path"])))
      .records.filter((entry) => entry["status"] !== 2)
      .map((entry) => entry["data_file"] as LiveFile)
  )
}
