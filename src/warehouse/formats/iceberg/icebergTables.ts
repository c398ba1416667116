import { randomInt } from "node:crypto"
import { Effect } from "effect"
import type { Session } from "../../../store/lake/duckdb/Lake.ts"
import type { Destination } from "../../destination/Destination.ts"
import { commitFacts } from "../../drop/readBack.ts"
import { dayNumber } from "../../drop/days.ts"
import { placeInTables, type TableChange } from "../../drop/placeInTables.ts"
import type { JoinsIn, PutJoined } from "../../drop/putJoined.ts"
import { tableName } from "../../drop/Drop.ts"
import type { FileStatistics } from "../../drop/fileStatistics.ts"
import type { StagedPartition } from "../../drop/stagePartition.ts"
import type { Catalogue, CatalogueTable } from "./Catalogue.ts"
import { dayFolder } from "./dayFolder.ts"
import { evolvedSchema, refuseForeign, chooseSpecs } from "./evolvedSchema.ts"
import { liveFile, mayHaveDay, openManifest, readManifestList, type ReadManifest } from "./readManifests.ts"
import type { DataFile, PartitionValues } from "./avro.ts"
import { mayHold } from "./manifests.ts"
import { listLive, planCommit, type AddedFile, writeSnapshot } from "./writeSnapshot.ts"
import { currentSnapshot } from "./TableMetadata.ts"
import type { IcebergSpec } from "./tableSchema.ts"
import { columnMaps } from "./columnMaps.ts"

/** The facts about a file that a commit adds to a table. */
interface NewFile extends FileStatistics {
  readonly address: string
  readonly rows: number
  readonly bytes: number
  readonly partition: PartitionValues
}

/** Returns the manifest's description of a file. */
const dataFile = ({ address, bytes, columns, partition, rows, splits }: NewFile): DataFile => ({
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
})

const greatestId = 2 ** 48 - 1
export const newSnapshotId = () => randomInt(1, greatestId)

/** Returns a file of several days for a commit. */
export const joinedFile = (to: Destination, name: string, spec: IcebergSpec, put: PutJoined): AddedFile => ({
  spec,
  file: dataFile({ ...put, address: `${to.root}/${name}/${put.path}`, partition: { game: put.game } })
})

/** The folder of a table's files of several days. */
export const icebergJoins = { format: "Iceberg", dayFolder } as const

/** Reads the manifests of the current snapshot; the entries only of those that may contain the partition. */
const readManifests = Effect.fnUntraced(function* (
  { stage, to }: Pick<JoinsIn, "stage" | "to">,
  { metadata, name }: CatalogueTable,
  partition: { readonly game: string; readonly dt: number }
) {
  const list = yield* readManifestList(to, stage, name, currentSnapshot(metadata))
  return yield* Effect.forEach(list, (manifest) =>
    mayHold(manifest, partition)
      ? openManifest(to, stage, name, manifest)
      : Effect.succeed<ReadManifest>({ manifest, entries: null })
  )
})

/** Iceberg tables of a destination, with one snapshot for each day of a game that changes. */
export const icebergTables = (to: Destination, catalogue: Catalogue, stage: string) => {
  const opened = new Map<string, CatalogueTable>()

  const open = Effect.fnUntraced(function* (_: Session, partition: StagedPartition) {
    const { bytes, dt, gameId, rows, table } = partition
    const name = tableName(table)
    const found = opened.get(name) ?? (yield* catalogue.find(table)) ?? (yield* catalogue.create(table))
    opened.set(name, found)
    const schema = yield* evolvedSchema(table, found)
    const values = { game: gameId, dt: dayNumber(dt) }
    const manifests = yield* readManifests({ to, stage }, found, values)
    const ofGame = listLive(manifests).filter((file) => file.partition.game === gameId)
    const there = ofGame.filter((file) => file.partition.dt === values.dt)
    const joined = ofGame.filter((file) => file.partition.dt === undefined && mayHaveDay(table, file, values.dt))
    const specs = chooseSpecs(table, found)
    const lists = manifests.map(({ manifest }) => manifest)
    if (joined.length > 0) yield* refuseForeign(name, specs, lists)
    const commit = Effect.fnUntraced(function* ({ displaced, file, rests }: TableChange) {
      const id = newSnapshotId()
      const address = `${to.root}/${name}/${dayFolder(gameId, dt)}/${partition.sha256}.parquet`
      const added = [
        ...(file === null
          ? []
          : [{ spec: specs.day, file: dataFile({ address, rows, bytes, partition: values, ...file }) }]),
        ...rests.map((rest) => joinedFile(to, name, specs.joined, rest))
      ]
      const removed = new Set([...displaced].map((path) => `${to.root}/${path}`))
      for (const { file_path: path } of there) removed.add(path)
      const plan = planCommit(manifests, removed, added, { snapshotId: id, specs: [specs.day, specs.joined] })
      const facts = { ...commitFacts(partition), ...(file === null ? { "cardlake.emptied": "true" } : {}) }
      const snapshot = { id, plan, schema, spec: null, daySpec: specs.day, facts }
      opened.set(name, yield* writeSnapshot(to, catalogue, stage, found, snapshot))
    })
    return {
      there: there.map(({ file_path: path }) => ({ path: path.slice(to.root.length + 1), fault: null })),
      joined: yield* Effect.forEach(joined, (file) => liveFile(to, name, table, file)),
      commit
    }
  })
  return { place: placeInTables({ ...icebergJoins, to, stage }, open) }
}
