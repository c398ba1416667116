import { Effect, Schema } from "effect"

const Texts = Schema.Record(Schema.String, Schema.String)
/** Checkpoints of some programs have null where a commit lacks the key. */
const orNull = <S extends Schema.Top>(schema: S) => Schema.optional(Schema.NullOr(schema))

const Protocol = Schema.Struct({ minReaderVersion: Schema.Int, minWriterVersion: Schema.Int })

/** Which table it is, with which columns. */
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

/** A file that belongs to the table from then on. Its path is encoded as in a URL, below the table's folder. */
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

/** A file that no longer belongs to it. It stays for who asks for an earlier version. */
export const RemoveFile = Schema.Struct({
  path: Schema.String,
  deletionTimestamp: orNull(Schema.Int),
  dataChange: Schema.Boolean,
  extendedFileMetadata: orNull(Schema.Boolean),
  partitionValues: orNull(PartitionValues),
  size: orNull(Schema.Int)
})
export type RemoveFile = typeof RemoveFile.Type

/** How far another program had come when it wrote here. */
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

/** A line of a commit: one of these is there. */
const Action = Schema.Struct({
  commitInfo: orNull(CommitInfo),
  protocol: orNull(Protocol),
  metaData: orNull(MetaData),
  txn: orNull(Transaction),
  add: orNull(AddFile),
  remove: orNull(RemoveFile)
})
export type Action = typeof Action.Type

/** What Cardlake writes: the first reader, and the writer that every program of today understands. */
export const protocol = { minReaderVersion: 1, minWriterVersion: 2 }

const json = Schema.fromJsonString(Action)
const decode = Schema.decodeUnknownEffect(json)
const encode = Schema.encodeEffect(json)

export const readActions = (lines: ReadonlyArray<string>) => Effect.forEach(lines, (line) => decode(line))
export const actionLines = (actions: ReadonlyArray<Action>) =>
  Effect.map(Effect.orDie(Effect.forEach(actions, (action) => encode(action))), (lines) => `${lines.join("\n")}\n`)
