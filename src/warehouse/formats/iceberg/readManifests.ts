import { Effect } from "effect"
import { lakeStep } from "../../../feed/reading/LakeError.ts"
import type { Destination } from "../../destination/Destination.ts"
import { avroRecords, type DataFile, type KeyValue, type ManifestEntry, type ManifestFile } from "./avro.ts"
import type { ExportTable } from "../../drop/exportTables.ts"
import { type Snapshot, currentSnapshot } from "./TableMetadata.ts"
import { isPathBelow } from "../../../feed/guard/joinBelow.ts"
import { dayText } from "../../drop/days.ts"
import type { DatedFile } from "../../drop/joinFiles.ts"
import { dayColumnId, unfit } from "./tableSchema.ts"
import { type DropAt, tableName } from "../../drop/Drop.ts"
import { findMissingDays, type LiveFile, type ReadTable } from "../../drop/readBack.ts"
import type { Catalogue } from "./Catalogue.ts"
import { evolvedSchema } from "./evolvedSchema.ts"
import { status } from "./manifests.ts"

/** Converts a file's absolute address to its path relative to the destination. */
export const pathBelow = Effect.fnUntraced(function* (to: Destination, table: string, address: string) {
  const path = address.startsWith(`${to.root}/`) ? address.slice(to.root.length + 1) : null
  if (path !== null && isPathBelow(path)) return path
  return yield* unfit(
    table,
    `names a file outside ${to.root}: ${address}`,
    "Its paths point to the destination where it was created. Export there, or to an empty destination"
  )
})

const readAvro = Effect.fnUntraced(function* <A>(to: Destination, stage: string, table: string, address: string) {
  const path = yield* pathBelow(to, table, address)
  const file = yield* to.fetch(path, stage)
  if (file === null) {
    const next = "Restore the file from a backup, or export to an empty destination"
    return yield* unfit(table, `has a missing file: ${address}`, next)
  }
  const bytes = yield* lakeStep(`Read ${address}`, (disk) => disk.read(file))
  return yield* Effect.tryPromise({
    try: () => avroRecords<A>(bytes),
    catch: () =>
      unfit(
        table,
        `has a file that is damaged, or has numbers from another program that Cardlake cannot represent: ${address}`,
        "Restore the file from a backup, or export to an empty destination"
      )
  })
})

/** Reads the manifests of a table's snapshot; empty if it has no snapshot yet. */
export const readManifestList = (to: Destination, stage: string, table: string, snapshot: Snapshot | null) =>
  snapshot === null ? Effect.succeed([]) : readAvro<ManifestFile>(to, stage, table, snapshot["manifest-list"])

export const readManifest = (to: Destination, stage: string, table: string, manifest: ManifestFile) =>
  readAvro<ManifestEntry>(to, stage, table, manifest.manifest_path)

/** A manifest of the current snapshot with its entries, if they had to be read. */
export interface ReadManifest {
  readonly manifest: ManifestFile
  /** Null = it cannot contain the changed files. */
  readonly entries: ReadonlyArray<ManifestEntry> | null
}

/** Reads a manifest with its entries. */
export const openManifest = (to: Destination, stage: string, table: string, manifest: ManifestFile) =>
  Effect.map(readManifest(to, stage, table, manifest), (entries): ReadManifest => ({ manifest, entries }))

const readBound = (bounds: ReadonlyArray<KeyValue<Buffer>> | null, id: number): number | null => {
  const value = bounds?.find(({ key }) => key === id)?.value
  return value === undefined ? null : Buffer.from(value).readInt32LE()
}

/** True if a file of several days may contain the given day. */
export const mayHaveDay = (table: ExportTable, { lower_bounds: lower, upper_bounds: upper }: DataFile, dt: number) => {
  const id = dayColumnId(table)
  return (readBound(lower, id) ?? dt) <= dt && dt <= (readBound(upper, id) ?? dt)
}

/** Converts a file of a manifest to one of the export. */
export const liveFile = Effect.fnUntraced(function* (
  to: Destination,
  name: string,
  table: ExportTable,
  file: DataFile
) {
  const { file_size_in_bytes: bytes, partition, record_count: rows } = file
  const first = partition.dt ?? readBound(file.lower_bounds, dayColumnId(table))
  return {
    game: partition.game ?? "",
    dt: partition.dt === undefined ? null : dayText(partition.dt ?? 0),
    from: dayText(first ?? 0),
    path: yield* pathBelow(to, name, file.file_path),
    rows,
    bytes,
    fault: null
  } satisfies DatedFile
})

/** True if a commit removed a day. The commit's other files are replacements of files that also had other days. */
const isEmptied = (summary: Snapshot["summary"]) =>
  summary.operation === "delete" || summary["cardlake.emptied"] === "true"

export const readIceberg = Effect.fnUntraced(function* (
  { stage, to }: DropAt,
  catalogue: Catalogue,
  table: ExportTable
) {
  const name = tableName(table)
  const found = yield* catalogue.find(table)
  if (found === null) return null
  yield* evolvedSchema(table, found)
  const live: Array<LiveFile> = []
  const manifests = new Set<string>()
  const readEntries = Effect.fnUntraced(function* (snapshot: Snapshot | null) {
    const unread = (yield* readManifestList(to, stage, name, snapshot)).filter(
      ({ manifest_path: path }) => !manifests.has(path)
    )
    for (const { manifest_path: path } of unread) manifests.add(path)
    return (yield* Effect.forEach(unread, (manifest) => readManifest(to, stage, name, manifest))).flat()
  })
  const ever = new Set<string>()
  const current = currentSnapshot(found.metadata)
  for (const { data_file: file, status: did } of yield* readEntries(current)) {
    const own = yield* liveFile(to, name, table, file)
    ever.add(own.path)
    if (did !== status.deleted) live.push(own)
  }
  const snapshots = (found.metadata.snapshots ?? []).toSorted((a, b) => a["sequence-number"] - b["sequence-number"])
  const commits = snapshots.map(({ summary }) => ({ facts: summary, isEmptied: isEmptied(summary) }))

  /** Searches from the newest snapshot back until all are found, because the current one references most files. */
  const named = Effect.fnUntraced(function* (paths: ReadonlyArray<string>) {
    for (const snapshot of snapshots.toReversed()) {
      if (paths.every((path) => ever.has(path))) break
      if (snapshot === current) continue
      for (const { data_file: file } of yield* readEntries(snapshot)) {
        ever.add(file.file_path.slice(to.root.length + 1))
      }
    }
    return paths.filter((path) => ever.has(path))
  })
  return { live, absent: findMissingDays(live, commits), named } satisfies ReadTable
})
