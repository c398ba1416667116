import { Effect, Schema } from "effect"

const Texts = Schema.Record(Schema.String, Schema.String)
/** Checkpoints of some programs have null where a commit lacks the key. */
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

/** Adds a file to the table. Its path is relative to the table's folder, and encoded as in a URL. */
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

/** Takes a file out of the table. The file itself stays, for those who read an earlier version. */
export const RemoveFile = Schema.Struct({
  path: Schema.String,
  deletionTimestamp: orNull(Schema.Int),
  dataChange: Schema.Boolean,
  extendedFileMetadata: orNull(Schema.Boolean),
  partitionValues: orNull(PartitionValues),
  size: orNull(Schema.Int)
})
export type RemoveFile = typeof RemoveFile.Type

/** How far another program had got when it wrote to the table. */
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

/** A line of a commit. It has one of these keys. */
const Action = Schema.Struct({
  commitInfo: orNull(CommitInfo),
  protocol: orNull(Protocol),
  metaData: orNull(MetaData),
  txn: orNull(Transaction),
  add: orNull(AddFile),
  remove: orNull(RemoveFile)
})
export type Action = typeof Action.Type

/** What Cardlake writes: the first reader version, and a writer version that every current program understands. */
export const protocol = { minReaderVersion: 1, minWriterVersion: 2 }

const json = Schema.fromJsonString(Action)
const decode = Schema.decodeUnknownEffect(json)
const encode = Schema.encodeEffect(json)

export const readActions = (lines: ReadonlyArray<string>) => Effect.forEach(lines, (line) => decode(line))
export const actionLines = (actions: ReadonlyArray<Action>) =>
  Effect.map(Effect.orDie(Effect.forEach(actions, (action) => encode(action))), (lines) => `${lines.join("\n")}\n`)
