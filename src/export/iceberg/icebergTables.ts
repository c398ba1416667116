import { randomInt } from "node:crypto"
import { writeFile } from "node:fs/promises"
import { join } from "node:path"
import { Clock, Effect } from "effect"
import { lakeStep } from "../../home/LakeError.ts"
import type { Session } from "../../lake/duckdb/Lake.ts"
import type { Destination } from "../destination/Destination.ts"
import { dayNumber } from "../drop/dayNumber.ts"
import { tableName } from "../drop/Drop.ts"
import { fileStatistics } from "../drop/fileStatistics.ts"
import type { StagedPartition } from "../drop/PlacePartition.ts"
import type { Catalogue, CatalogueTable } from "./Catalogue.ts"
import { columnMaps } from "./columnMaps.ts"
import { dayFolder } from "./dayFolder.ts"
import { evolvedSchema } from "./evolvedSchema.ts"
import {
  manifestBytes,
  manifestFileOf,
  manifestListBytes,
  mayHold,
  type DataFile,
  type ManifestFile
} from "./manifests.ts"
import { manifestsToMerge, withMerged } from "./mergeManifests.ts"
import { planCommit, type CommitPlan, type ReadManifest } from "./planCommit.ts"
import { readManifest, readManifestList } from "./readManifests.ts"
import { snapshotSummary } from "./snapshotSummary.ts"
import { committed } from "./TableCommit.ts"
import { currentSnapshot, type Snapshot } from "./TableMetadata.ts"

const greatestId = 2 ** 48 - 1

/** Iceberg tables of a destination, with one snapshot for each day of a game that changes. */
export const icebergTables = (to: Destination, catalogue: Catalogue, stage: string) => {
  const opened = new Map<string, CatalogueTable>()

  const putBytes = Effect.fnUntraced(function* (path: string, made: () => Promise<Buffer>) {
    const staged = join(stage, "metadata.avro")
    const bytes = yield* lakeStep(`Make ${to.root}/${path}`, async () => {
      const content = await made()
      await writeFile(staged, content)
      return content.length
    })
    yield* to.put(path, staged)
    return bytes
  })

  /** Manifests of the current snapshot; those that may contain the partition, with their entries. */
  const manifestsOf = Effect.fnUntraced(function* (
    table: string,
    present: Snapshot | null,
    partition: { readonly game: string; readonly dt: number }
  ) {
    const list = yield* readManifestList(to, stage, table, present)
    return yield* Effect.forEach(list, (manifest) =>
      mayHold(manifest, partition)
        ? Effect.map(readManifest(to, stage, table, manifest), (entries): ReadManifest => ({ manifest, entries }))
        : Effect.succeed<ReadManifest>({ manifest, entries: null })
    )
  })

  /** So that a query need not read ever more manifests, many of them become one. */
  const merged = Effect.fnUntraced(function* (table: string, plan: CommitPlan) {
    const many = manifestsToMerge(plan)
    if (many.length === 0) return plan
    const read = yield* Effect.forEach(many, (manifest) =>
      Effect.map(readManifest(to, stage, table, manifest), (entries): ReadManifest => ({ manifest, entries }))
    )
    return withMerged(plan, read)
  })

  /** Puts a partition's file into its table as a snapshot of its own; if it is empty, removes what was there. */
  const place = Effect.fn("placeInIceberg")(function* (session: Session, partition: StagedPartition) {
    const { dt, gameId, table } = partition
    const name = tableName(table)
    const found = opened.get(name) ?? (yield* catalogue.find(table)) ?? (yield* catalogue.create(table))
    opened.set(name, found)
    const { metadata } = found
    const schema = yield* evolvedSchema(table, found)
    const present = currentSnapshot(metadata)
    const values = { game: gameId, dt: dayNumber(dt) }
    const dataPath = `${name}/${dayFolder(gameId, dt)}/${partition.sha256}.parquet`
    const file = partition.rows === 0 ? null : yield* dataFileOf(session, partition, `${to.root}/${dataPath}`, values)
    const manifests = yield* manifestsOf(name, present, values)
    const id = randomInt(1, greatestId)
    const planned = planCommit(values, file, manifests, id)
    if (file !== null && (planned !== null || partition.isDamaged)) yield* to.put(dataPath, partition.file)
    if (planned === null) return file !== null && partition.isDamaged ? ("replaced" as const) : ("unchanged" as const)
    const plan = yield* merged(name, planned)
    const list = `${name}/metadata/snap-${id}.avro`
    const parent = present?.["snapshot-id"] ?? null
    const snapshot: Snapshot = {
      "snapshot-id": id,
      ...(parent === null ? {} : { "parent-snapshot-id": parent }),
      "sequence-number": metadata["last-sequence-number"] + 1,
      "timestamp-ms": Math.max(yield* Clock.currentTimeMillis, metadata["last-updated-ms"] + 1),
      "manifest-list": `${to.root}/${list}`,
      "schema-id": schema?.["schema-id"] ?? metadata["current-schema-id"],
      summary: snapshotSummary(plan, present, partition)
    }
    const commit = { schema, snapshot }
    const after = committed(metadata, commit, "")
    const written: Array<ManifestFile> = []
    for (const [index, entries] of plan.written.entries()) {
      const path = `${name}/metadata/${id}-m${index}.avro`
      const bytes = yield* putBytes(path, () => manifestBytes(table, after, entries))
      written.push(manifestFileOf(`${to.root}/${path}`, bytes, snapshot, entries))
    }
    yield* putBytes(list, () => manifestListBytes(snapshot, parent, [...written, ...plan.unchanged]))
    opened.set(name, yield* catalogue.commit(found, commit))
    if (plan.operation === "delete") return "emptied" as const
    return plan.operation === "append" ? ("added" as const) : ("replaced" as const)
  })
  return { place }
}

const dataFileOf = Effect.fnUntraced(function* (
  session: Session,
  { bytes, file, rows, table }: StagedPartition,
  address: string,
  partition: { readonly game: string; readonly dt: number }
) {
  const { columns, splits } = yield* fileStatistics(session, table, file)
  return {
    content: 0,
    file_path: address,
    file_format: "PARQUET",
    partition,
    record_count: rows,
    file_size_in_bytes: bytes,
    ...columnMaps(columns),
    key_metadata: null,
    split_offsets: splits,
    equality_ids: null,
    sort_order_id: 0
  } satisfies DataFile
})
