import { Effect, Schema } from "effect"
import { tableName } from "../../drop/Drop.ts"
import { type ExportColumn, type ExportTable, tableUnfit } from "../../drop/exportTables.ts"

const Texts = Schema.Record(Schema.String, Schema.String)
/** Accepts null for a missing key, which checkpoints of some programs have. */
const orNull = <S extends Schema.Top>(schema: S) => Schema.optional(Schema.NullOr(schema))

const Protocol = Schema.Struct({ minReaderVersion: Schema.Int, minWriterVersion: Schema.Int })

/** The identity and the columns of the table. */
export const MetaData = Schema.Struct({
  id: Schema.String,
  name: orNull(Schema.String),
  description: orNull(Schema.String),
  format: Schema.Struct({ provider: Schema.String, options: orNull(Texts) }),
  schemaString: Schema.String,
  partitionColumns: Schema.Array(Schema.String),
  configuration: orNull(Texts),
  createdTime: orNull(Schema.Int)
})
export type MetaData = typeof MetaData.Type

const PartitionValues = Schema.Record(Schema.String, Schema.NullOr(Schema.String))

/** Adds a file to the table. Its path is relative to the table's folder, and URL-encoded. */
export const AddFile = Schema.Struct({
  path: Schema.String,
  partitionValues: PartitionValues,
  size: Schema.Int,
  modificationTime: Schema.Int,
  dataChange: Schema.Boolean,
  stats: orNull(Schema.String),
  tags: orNull(PartitionValues)
})
export type AddFile = typeof AddFile.Type

/** Removes a file from the table. The file still exists for readers of an earlier version. */
export const RemoveFile = Schema.Struct({
  path: Schema.String,
  deletionTimestamp: orNull(Schema.Int),
  dataChange: Schema.Boolean,
  extendedFileMetadata: orNull(Schema.Boolean),
  partitionValues: orNull(PartitionValues),
  size: orNull(Schema.Int)
})
export type RemoveFile = typeof RemoveFile.Type

/** The progress of another program that wrote to the table. */
const Transaction = Schema.Struct({ appId: Schema.String, version: Schema.Int, lastUpdated: orNull(Schema.Int) })
export type Transaction = typeof Transaction.Type

const CommitInfo = Schema.Struct({
  timestamp: orNull(Schema.Int),
  operation: orNull(Schema.String),
  operationParameters: orNull(Schema.Record(Schema.String, Schema.Unknown)),
  isBlindAppend: orNull(Schema.Boolean),
  engineInfo: orNull(Schema.String)
})
export type CommitInfo = typeof CommitInfo.Type

/** A line of a commit, with exactly one of these keys. */
const Action = Schema.Struct({
  commitInfo: orNull(CommitInfo),
  protocol: orNull(Protocol),
  metaData: orNull(MetaData),
  txn: orNull(Transaction),
  add: orNull(AddFile),
  remove: orNull(RemoveFile)
})
export type Action = typeof Action.Type

/** Cardlake's protocol: the first reader version, and a writer version that every current program supports. */
export const protocol = { minReaderVersion: 1, minWriterVersion: 2 }

const json = Schema.fromJsonString(Action)
const decode = Schema.decodeUnknownEffect(json)
const encode = Schema.encodeEffect(json)

export const readActions = (lines: ReadonlyArray<string>) => Effect.forEach(lines, (line) => decode(line))
export const actionLines = (actions: ReadonlyArray<Action>) =>
  Effect.map(Effect.orDie(Effect.forEach(actions, (action) => encode(action))), (lines) => `${lines.join("\n")}\n`)

/** The state of a table after the commits of its log. */
export interface DeltaTable {
  readonly name: string
  /** The version of the last commit; the first is 0. */
  readonly version: number
  readonly protocol: { readonly minReaderVersion: number; readonly minWriterVersion: number } | null
  readonly metaData: MetaData | null
  /** Files that currently belong to it, by path. */
  readonly files: ReadonlyMap<string, AddFile>
  /** Files that belonged to it before. */
  readonly removed: ReadonlyMap<string, RemoveFile>
  readonly transactions: ReadonlyMap<string, Transaction>
}

/** A table before any of its log has been read. */
export const unreadTable = (name: string): DeltaTable => ({
  name,
  version: -1,
  protocol: null,
  metaData: null,
  files: new Map(),
  removed: new Map(),
  transactions: new Map()
})

/** Normalizes a path, because programs may encode it differently. */
export const normalizePath = (path: string): string => {
  try {
    return decodeURIComponent(path)
  } catch {
    return path
  }
}

/** Applies the actions of a commit, or of a checkpoint, which replaces all commits up to its version. */
export const withActions = (before: DeltaTable, version: number, actions: Iterable<Action>): DeltaTable => {
  let { metaData, protocol } = before
  const files = new Map(before.files)
  const removed = new Map(before.removed)
  const transactions = new Map(before.transactions)
  for (const action of actions) {
    protocol = action.protocol ?? protocol
    metaData = action.metaData ?? metaData
    if (action.txn != null) transactions.set(action.txn.appId, action.txn)
    if (action.add != null) {
      files.set(normalizePath(action.add.path), action.add)
      removed.delete(normalizePath(action.add.path))
    }
    if (action.remove != null) {
      removed.set(normalizePath(action.remove.path), action.remove)
      files.delete(normalizePath(action.remove.path))
    }
  }
  return { name: before.name, version, protocol, metaData, files, removed, transactions }
}

export const listActions = ({
  files,
  metaData,
  protocol,
  removed,
  transactions
}: DeltaTable): ReadonlyArray<Action> => [
  { protocol },
  { metaData },
  ...[...transactions.values()].map((txn): Action => ({ txn })),
  // A checkpoint only repeats commits, so its files are no changes for readers of the change feed.
  ...[...files.values()].map((add): Action => ({ add: { ...add, dataChange: false } })),
  ...[...removed.values()].map((remove): Action => ({ remove: { ...remove, dataChange: false } }))
]

/** The actions of a commit after the first. */
export interface Commit {
  readonly info: CommitInfo
  /** Null = unchanged columns. */
  readonly metaData: MetaData | null
  readonly added: ReadonlyArray<AddFile>
  readonly removed: ReadonlyArray<RemoveFile>
}

export const commitActions = ({ added, info, metaData, removed }: Commit): ReadonlyArray<Action> => [
  { commitInfo: info },
  ...(metaData === null ? [] : [{ metaData }]),
  ...removed.map((remove): Action => ({ remove })),
  ...added.map((add): Action => ({ add }))
]

/** The schema of a table. Metadata that other programs added to a column is preserved. */
const DeltaSchema = Schema.fromJsonString(
  Schema.Struct({
    type: Schema.Literal("struct"),
    fields: Schema.Array(
      Schema.StructWithRest(Schema.Struct({ name: Schema.String, type: Schema.Unknown }), [
        Schema.Record(Schema.String, Schema.Unknown)
      ])
    )
  })
)

const types: Readonly<Record<string, string>> = {
  BOOLEAN: "boolean",
  INT32: "integer",
  INT64: "long",
  VARCHAR: "string",
  DATE: "date",
  TIMESTAMP: "timestamp"
}

const schemaField = ({ comment, name, type }: ExportColumn) => ({
  name,
  type: types[type] ?? type.toLowerCase(),
  nullable: true,
  metadata: { comment }
})

const schemaString = (fields: ReadonlyArray<unknown>) => JSON.stringify({ type: "struct", fields })

/** Partition columns until the first compaction. Both columns are in the files, too. */
export const byDay: ReadonlyArray<string> = ["game_id", "snapshot_date"]
/** Partition columns from the first compaction on, because a file may have several days. */
export const byGame: ReadonlyArray<string> = ["game_id"]

export const newMetaData = (table: ExportTable, id: string, now: number): MetaData => ({
  id,
  name: tableName(table),
  description: table.comment,
  format: { provider: "parquet", options: {} },
  schemaString: schemaString(table.columns.map(schemaField)),
  partitionColumns: byDay,
  configuration: {},
  createdTime: now
})

/** Returns the metadata with the current columns; null = it already has them. Names and types never change. */
export const evolvedMetaData = Effect.fnUntraced(function* (table: ExportTable, found: MetaData) {
  const name = tableName(table)
  const next = "Update Cardlake, or undo the change with the program that made it"
  const unfit = (reason: string) => tableUnfit("Delta", name, `${reason}. ${next}`)
  const partitioning = found.partitionColumns.join()
  if (partitioning !== byDay.join() && partitioning !== byGame.join())
    return yield* unfit(`is partitioned by ${found.partitionColumns.join(", ")} instead of ${byDay.join(", ")}`)
  const { fields } = yield* Effect.mapError(Schema.decodeUnknownEffect(DeltaSchema)(found.schemaString), () =>
    unfit("has columns that Cardlake cannot read")
  )
  const today = table.columns.map(schemaField)
  for (const { name: column, type } of fields) {
    if (today.find((field) => field.name === column)?.type === type) continue
    const typeName = typeof type === "string" ? type : JSON.stringify(type)
    return yield* unfit(`has a column ${column} (${typeName}) that this version of Cardlake does not write`)
  }
  const added = today.filter((field) => !fields.some(({ name: column }) => column === field.name))
  return added.length === 0 ? null : { ...found, schemaString: schemaString([...fields, ...added]) }
})
