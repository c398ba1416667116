import { randomInt } from "node:crypto"
import { Effect } from "effect"
import type { Session } from "../../../store/lake/duckdb/Lake.ts"
import type { Destination } from "../../destination/Destination.ts"
import { commitFacts } from "../../drop/readBack.ts"
import { dayNumber } from "../../drop/days.ts"
import { displaceDay, type JoinsIn, type PutJoined } from "../../drop/putJoined.ts"
import { tableName } from "../../drop/Drop.ts"
import { fileStatistics, type FileStatistics } from "../../drop/fileStatistics.ts"
import type { StagedPartition } from "../../drop/stagePartition.ts"
import type { Catalogue, CatalogueTable } from "./Catalogue.ts"
import { dayFolder } from "./dayFolder.ts"
import { evolvedSchema, refuseForeign, chooseSpecs } from "./evolvedSchema.ts"
import { liveFile, mayHaveDay, openManifest, readManifestList, type ReadManifest } from "./readManifests.ts"
import type { DataFile, PartitionValues } from "./avro.ts"
import { mayHold } from "./manifests.ts"
import { isLive, planCommit, type AddedFile, writeSnapshot } from "./writeSnapshot.ts"
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

  /** Commits a partition's file to its table as a snapshot. A partition without rows removes the existing file. */
  const place = Effect.fn("placeInIceberg")(function* (session: Session, partition: StagedPartition) {
    const { dt, gameId, isDamaged, table } = partition
    const name = tableName(table)
    const found = opened.get(name) ?? (yield* catalogue.find(table)) ?? (yield* catalogue.create(table))
    opened.set(name, found)
    const schema = yield* evolvedSchema(table, found)
    const values = { game: gameId, dt: dayNumber(dt) }
    const dataPath = `${name}/${dayFolder(gameId, dt)}/${partition.sha256}.parquet`
    const address = `${to.root}/${dataPath}`
    const manifests = yield* readManifests({ to, stage }, found, values)
    const live = manifests.flatMap(({ entries }) => (entries ?? []).filter(isLive).map((entry) => entry.data_file))
    const ofGame = live.filter((file) => file.partition.game === gameId)
    const there = ofGame.filter((file) => file.partition.dt === values.dt)
    const joined = ofGame.filter((file) => file.partition.dt === undefined && mayHaveDay(table, file, values.dt))
    const specs = chooseSpecs(table, found)
    const lists = manifests.map(({ manifest }) => manifest)
    if (joined.length > 0) yield* refuseForeign(name, specs, lists)
    const candidates = yield* Effect.forEach(joined, (file) => liveFile(to, name, table, file))
    const out = yield* displaceDay({ ...icebergJoins, session, to, stage, table }, candidates, partition)
    if (out.isThere && there.length === 0) return "unchanged" as const
    const isHere = there.length === (partition.rows === 0 ? 0 : 1) && (there[0]?.file_path ?? address) === address
    const isSame = isHere && out.displaced.length === 0
    if (partition.rows > 0 && (!isSame || isDamaged)) {
      // The statistics are read before the file leaves the stage.
      const file = isSame ? null : yield* newFile(session, partition, address, values)
      yield* to.put(dataPath, partition.file)
      if (file === null) return "replaced" as const
      return yield* commit(file)
    }
    return isSame ? ("unchanged" as const) : yield* commit(null)

    function commit(file: DataFile | null) {
      return Effect.gen(function* () {
        const id = newSnapshotId()
        const displaced = new Set([
          ...there.map(({ file_path: path }) => path),
          ...out.displaced.map(({ path }) => `${to.root}/${path}`)
        ])
        const added = [
          ...(file === null ? [] : [{ spec: specs.day, file }]),
          ...out.rests.map((rest) => joinedFile(to, name, specs.joined, rest))
        ]
        const plan = planCommit(manifests, displaced, added, { snapshotId: id, specs: [specs.day, specs.joined] })
        const facts = { ...commitFacts(partition), ...(file === null ? { "cardlake.emptied": "true" } : {}) }
        const snapshot = { id, plan, schema, spec: null, daySpec: specs.day, facts }
        opened.set(name, yield* writeSnapshot(to, catalogue, stage, found, snapshot))
        if (file === null) return "emptied" as const
        return plan.operation === "append" ? ("added" as const) : ("replaced" as const)
      })
    }
  })
  return { place }
}

const newFile = Effect.fnUntraced(function* (
  session: Session,
  { bytes, file, rows, table }: StagedPartition,
  address: string,
  partition: { readonly game: string; readonly dt: number }
) {
  const statistics = yield* fileStatistics(session, table, file)
  return dataFile({ address, rows, bytes, partition, ...statistics })
})
