/** A value in Thrift's compact protocol, as in Parquet's headers: number is i32, an object a struct by id. */
export type Thrift = number | bigint | boolean | string | ReadonlyArray<Thrift> | ThriftStruct
export interface ThriftStruct {
  readonly [id: number]: Thrift | undefined
}

const wireType = (value: Thrift): number => {
  if (typeof value === "boolean") return value ? 1 : 2
  if (typeof value === "number") return 5
  if (typeof value === "bigint") return 6
  if (typeof value === "string") return 8
  return Array.isArray(value) ? 9 : 12
}

/** Encodes an unsigned number in bytes of seven bits, the lowest first. */
export const varint = (value: number | bigint): ReadonlyArray<number> => {
  const bytes: Array<number> = []
  let rest = BigInt(value)
  while (rest > 127n) {
    bytes.push(Number(rest & 127n) | 128)
    rest >>= 7n
  }
  return [...bytes, Number(rest)]
}

const zigzag = (value: number | bigint): ReadonlyArray<number> => {
  const wide = BigInt(value)
  return varint(wide >= 0n ? wide << 1n : (-wide << 1n) - 1n)
}

const isList = (value: Thrift): value is ReadonlyArray<Thrift> => Array.isArray(value)

/** Encodes a value; a struct ends with a stop byte. */
export const thriftBytes = (value: Thrift): ReadonlyArray<number> => {
  if (typeof value === "boolean") return []
  if (typeof value === "number" || typeof value === "bigint") return zigzag(value)
  if (typeof value === "string") {
    const text = Buffer.from(value)
    return [...varint(text.length), ...text]
  }
  if (isList(value)) {
    const [first = 0] = value
    return [0xf0 | wireType(first), ...varint(value.length), ...value.flatMap(thriftBytes)]
  }
  const bytes: Array<number> = []
  let last = 0
  for (const [id, field] of Object.entries(value)) {
    if (field === undefined) continue
    bytes.push(((Number(id) - last) << 4) | wireType(field), ...thriftBytes(field))
    last = Number(id)
  }
  return [...bytes, 0]
}

/** Parquet's numeric codes of the types and encodings used here. */
export const encodings = { plain: 0, levels: 3, dictionary: 8 } as const
export const physicalTypes = { int32: 1, int64: 2, bytes: 6 } as const

/** A column of a batch, ready for its file. */
export interface ColumnChunk {
  /** The schema elements: one, or three for a list. */
  readonly schema: ReadonlyArray<ThriftStruct>
  readonly path: ReadonlyArray<string>
  readonly type: number
  /** The number of values, including nulls. */
  readonly values: number
  readonly dictionary: { readonly values: number; readonly bytes: Uint8Array } | null
  /** Levels and values in the layout of a data page. */
  readonly data: ReadonlyArray<Uint8Array>
}

const magic = Buffer.from("PAR1")

/**
 * A Parquet file of one row group, uncompressed, because DuckDB reads it once before it is deleted. Values are appended
 * one by one, because writers that take columns of boxed values are several times slower.
 */
export const parquetFile = (rows: number, chunks: ReadonlyArray<ColumnChunk>): ReadonlyArray<Uint8Array> => {
  const parts: Array<Uint8Array> = [magic]
  let offset = magic.length
  const put = (bytes: Uint8Array) => {
    parts.push(bytes)
    offset += bytes.length
  }
  const putPage = (type: number, header: ThriftStruct, body: ReadonlyArray<Uint8Array>) => {
    const size = body.reduce((sum, { length }) => sum + length, 0)
    put(Uint8Array.from(thriftBytes({ 1: type, 2: size, 3: size, ...header })))
    for (const bytes of body) put(bytes)
  }
  const columns = chunks.map(({ data, dictionary, path, type, values }): Thrift => {
    const start = offset
    if (dictionary !== null) putPage(2, { 7: { 1: dictionary.values, 2: encodings.plain } }, [dictionary.bytes])
    const firstPage = offset
    const encoding = dictionary === null ? encodings.plain : encodings.dictionary
    putPage(0, { 5: { 1: values, 2: encoding, 3: encodings.levels, 4: encodings.levels } }, data)
    const size = BigInt(offset - start)
    return {
      2: BigInt(start),
      3: {
        1: type,
        2: [encodings.levels, encoding, ...(dictionary === null ? [] : [encodings.plain])],
        3: path,
        4: 0,
        5: BigInt(values),
        6: size,
        7: size,
        9: BigInt(firstPage),
        11: dictionary === null ? undefined : BigInt(start)
      }
    }
  })
  const footer = Uint8Array.from(
    thriftBytes({
      1: 1,
      2: [{ 4: "schema", 5: chunks.length }, ...chunks.flatMap(({ schema }) => schema)],
      3: BigInt(rows),
      4: [{ 1: columns, 2: BigInt(offset - magic.length), 3: BigInt(rows) }]
    })
  )
  const length = Buffer.alloc(4)
  length.writeUInt32LE(footer.length)
  return [...parts, footer, length, magic]
}

/** A column that collects values. Missing values are null. */
export interface BatchColumn {
  readonly add: (value: unknown) => void
  /** The approximate size in bytes. */
  readonly size: () => number
  /** Returns the collected values and empties the column. */
  readonly take: () => ColumnChunk
}

export const optional = 1
/** The schema element of the values. */
export const leaf = (name: string, type: number, more: ThriftStruct): ThriftStruct => ({
  1: type,
  3: optional,
  4: name,
  ...more
})
/** Parquet's numeric codes of logical types. */
export const converted = { utf8: 0, decimal: 5, micros: 10, json: 19 }
