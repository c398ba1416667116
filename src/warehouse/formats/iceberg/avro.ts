import avro, { type Schema } from "avsc"
import { Readable } from "node:stream"
import { buffer } from "node:stream/consumers"

/** Types of the fields in the spec's tables "Manifests" and "Manifest lists", version 2, with their ids. */
type Type = string | Record<string, unknown> | ReadonlyArray<unknown>

const field = (name: string, id: number, type: Type) => ({ name, type, "field-id": id })
const optional = (name: string, id: number, type: Type) => ({
  name,
  type: ["null", type],
  default: null,
  "field-id": id
})
const record = (name: string, fields: ReadonlyArray<unknown>) => ({ type: "record", name, fields })
const list = (elementId: number, items: Type) => ({ type: "array", items, "element-id": elementId })
const map = (keyId: number, valueId: number, value: Type) => ({
  type: "array",
  logicalType: "map",
  items: record(`k${keyId}_v${valueId}`, [field("key", keyId, "int"), field("value", valueId, value)])
})

const game = optional("game", 1000, "string")
const dt = optional("dt", 1001, { type: "int", logicalType: "date" })

const dataFile = (hasDay: boolean) =>
  record("r2", [
    field("content", 134, "int"),
    field("file_path", 100, "string"),
    field("file_format", 101, "string"),
    field("partition", 102, record("r102", hasDay ? [game, dt] : [game])),
    field("record_count", 103, "long"),
    field("file_size_in_bytes", 104, "long"),
    optional("column_sizes", 108, map(117, 118, "long")),
    optional("value_counts", 109, map(119, 120, "long")),
    optional("null_value_counts", 110, map(121, 122, "long")),
    optional("nan_value_counts", 137, map(138, 139, "long")),
    optional("lower_bounds", 125, map(126, 127, "bytes")),
    optional("upper_bounds", 128, map(129, 130, "bytes")),
    optional("key_metadata", 131, "bytes"),
    optional("split_offsets", 132, list(133, "long")),
    optional("equality_ids", 135, list(136, "int")),
    optional("sort_order_id", 140, "int")
  ])

/** An entry of a manifest: a data file of one or several days, and the snapshot's change to it. */
export const manifestEntrySchema = (hasDay: boolean) =>
  record("manifest_entry", [
    field("status", 0, "int"),
    optional("snapshot_id", 1, "long"),
    optional("sequence_number", 3, "long"),
    optional("file_sequence_number", 4, "long"),
    field("data_file", 2, dataFile(hasDay))
  ]) as unknown as Schema

/** An entry of a manifest list: a manifest, and the partitions that it may contain. */
export const manifestFileSchema = record("manifest_file", [
  field("manifest_path", 500, "string"),
  field("manifest_length", 501, "long"),
  field("partition_spec_id", 502, "int"),
  field("content", 517, "int"),
  field("sequence_number", 515, "long"),
  field("min_sequence_number", 516, "long"),
  field("added_snapshot_id", 503, "long"),
  field("added_files_count", 504, "int"),
  field("existing_files_count", 505, "int"),
  field("deleted_files_count", 506, "int"),
  field("added_rows_count", 512, "long"),
  field("existing_rows_count", 513, "long"),
  field("deleted_rows_count", 514, "long"),
  optional(
    "partitions",
    507,
    list(
      508,
      record("r508", [
        field("contains_null", 509, "boolean"),
        optional("contains_nan", 518, "boolean"),
        optional("lower_bound", 510, "bytes"),
        optional("upper_bound", 511, "bytes")
      ])
    )
  ),
  optional("key_metadata", 519, "bytes")
]) as unknown as Schema

/** Encodes records as an Avro file with this metadata in its header. */
export const avroFile = async (
  schema: Schema,
  words: Readonly<Record<string, string>>,
  records: ReadonlyArray<unknown>
): Promise<Buffer> => {
  const metadata = Object.fromEntries(Object.entries(words).map(([key, word]) => [key, Buffer.from(word)]))
  const options = { codec: "deflate", metadata, writeHeader: true }
  const encoder = new avro.streams.BlockEncoder(schema, options)
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
