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
