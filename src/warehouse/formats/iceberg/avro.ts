import avro, { type Schema } from "avsc"
import { Readable } from "node:stream"
import { buffer } from "node:stream/consumers"

/** A type of Avro. `value` is never set: it names the type of the values for TypeScript. */
interface Type<A> {
  readonly schema: unknown
  readonly value?: A
}
type ValueOf<T> = T extends Type<infer A> ? A : never

interface Field<Name extends string, A> extends Type<A> {
  readonly name: Name
}
type RecordOf<F extends ReadonlyArray<Field<string, unknown>>> = {
  readonly [One in F[number] as One["name"]]: ValueOf<One>
}

const boolean: Type<boolean> = { schema: "boolean" }
const int: Type<number> = { schema: "int" }
const long: Type<number> = { schema: "long" }
const string: Type<string> = { schema: "string" }
const bytes: Type<Buffer> = { schema: "bytes" }

/** The fields of the spec's tables "Manifests" and "Manifest lists", version 2, with their ids. */
const field = <Name extends string, A>(name: Name, id: number, { schema: type }: Type<A>): Field<Name, A> => ({
  name,
  schema: { name, type, "field-id": id }
})
const optional = <Name extends string, A>(
  name: Name,
  id: number,
  { schema: type }: Type<A>
): Field<Name, A | null> => ({ name, schema: { name, type: ["null", type], default: null, "field-id": id } })
const record = <const F extends ReadonlyArray<Field<string, unknown>>>(name: string, fields: F): Type<RecordOf<F>> => ({
  schema: { type: "record", name, fields: fields.map(({ schema }) => schema) }
})
const list = <A>(elementId: number, { schema: items }: Type<A>): Type<ReadonlyArray<A>> => ({
  schema: { type: "array", items, "element-id": elementId }
})

/** An entry of a map, in Avro's form for keys that are not texts. */
export interface KeyValue<A> {
  readonly key: number
  readonly value: A
}
const map = <A>(keyId: number, valueId: number, value: Type<A>): Type<ReadonlyArray<KeyValue<A>>> => {
  const items = record(`k${keyId}_v${valueId}`, [field("key", keyId, int), field("value", valueId, value)]).schema
  return { schema: { type: "array", logicalType: "map", items } }
}

/** A game's day; `dt` in days since 1970-01-01, absent in a file of several days. */
export interface PartitionValues {
  readonly game: string | null
  readonly dt?: number | null
}
const partition = (hasDay: boolean): Type<PartitionValues> => {
  const day = optional<"dt", number>("dt", 1001, { schema: { type: "int", logicalType: "date" } })
  return record("r102", [optional("game", 1000, string), ...(hasDay ? [day] : [])])
}

const dataFile = (hasDay: boolean) =>
  record("r2", [
    field("content", 134, int),
    field("file_path", 100, string),
    field("file_format", 101, string),
    field("partition", 102, partition(hasDay)),
    field("record_count", 103, long),
    field("file_size_in_bytes", 104, long),
    optional("column_sizes", 108, map(117, 118, long)),
    optional("value_counts", 109, map(119, 120, long)),
    optional("null_value_counts", 110, map(121, 122, long)),
    optional("nan_value_counts", 137, map(138, 139, long)),
    optional("lower_bounds", 125, map(126, 127, bytes)),
    optional("upper_bounds", 128, map(129, 130, bytes)),
    optional("key_metadata", 131, bytes),
    optional("split_offsets", 132, list(133, long)),
    optional("equality_ids", 135, list(136, int)),
    optional("sort_order_id", 140, int)
  ])

export type DataFile = ValueOf<ReturnType<typeof dataFile>>

/**
 * An entry of a manifest: a data file of one or several days, and the snapshot's change to it. Id and sequence numbers
 * are null if the manifest's own snapshot added the file, which inherits them.
 */
export const manifestEntrySchema = (hasDay: boolean) =>
  record("manifest_entry", [
    field("status", 0, int),
    optional("snapshot_id", 1, long),
    optional("sequence_number", 3, long),
    optional("file_sequence_number", 4, long),
    field("data_file", 2, dataFile(hasDay))
  ])

export type ManifestEntry = ValueOf<ReturnType<typeof manifestEntrySchema>>

const fieldSummary = record("r508", [
  field("contains_null", 509, boolean),
  optional("contains_nan", 518, boolean),
  optional("lower_bound", 510, bytes),
  optional("upper_bound", 511, bytes)
])
export type FieldSummary = ValueOf<typeof fieldSummary>

/** An entry of a manifest list: a manifest, and the partitions that it may contain. */
export const manifestFileSchema = record("manifest_file", [
  field("manifest_path", 500, string),
  field("manifest_length", 501, long),
  field("partition_spec_id", 502, int),
  field("content", 517, int),
  field("sequence_number", 515, long),
  field("min_sequence_number", 516, long),
  field("added_snapshot_id", 503, long),
  field("added_files_count", 504, int),
  field("existing_files_count", 505, int),
  field("deleted_files_count", 506, int),
  field("added_rows_count", 512, long),
  field("existing_rows_count", 513, long),
  field("deleted_rows_count", 514, long),
  optional("partitions", 507, list(508, fieldSummary)),
  optional("key_metadata", 519, bytes)
])

export type ManifestFile = ValueOf<typeof manifestFileSchema>

/** Encodes records as an Avro file with this metadata in its header. */
export const avroFile = async <A>(
  { schema }: Type<A>,
  words: Readonly<Record<string, string>>,
  records: ReadonlyArray<A>
): Promise<Buffer> => {
  const metadata = Object.fromEntries(Object.entries(words).map(([key, word]) => [key, Buffer.from(word)]))
  const options = { codec: "deflate", metadata, writeHeader: true }
  const encoder = new avro.streams.BlockEncoder(schema as Schema, options)
  return buffer(Readable.from(records).pipe(encoder))
}

/** Decodes the records of an Avro file by its embedded schema. */
export const avroRecords = async <A>(file: Buffer): Promise<ReadonlyArray<A>> => {
  const decoder = new avro.streams.BlockDecoder()
  const records: Array<A> = []
  const ended = new Promise<void>((resolve, reject) => {
    decoder.on("data", (record: A) => records.push(record))
    decoder.on("end", resolve)
    decoder.on("error", reject)
  })
  decoder.end(file)
  await ended
  return records
}
