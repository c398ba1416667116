import { Readable } from "node:stream"
import { buffer } from "node:stream/consumers"
import avro, { type Schema } from "avsc"

/** Records as an Avro file with this metadata in its header. */
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

/** Records of an Avro file, according to its own schema. */
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
