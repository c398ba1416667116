import { Levels, Texts, Words } from "./Growing.ts"
import { instantMicros } from "./instantMicros.ts"
import { type ColumnChunk, physicalTypes } from "./parquetFile.ts"
import { roundedTo } from "./roundedTo.ts"
import { type ThriftStruct, varint } from "./thrift.ts"

/** A column of a table while its values are collected. A value that is missing or null is null. */
export interface BatchColumn {
  readonly add: (value: unknown) => void
  /** About as many bytes as it holds. */
  readonly size: () => number
  /** What it holds; empties it. */
  readonly take: () => ColumnChunk
}

const optional = 1
const leaf = (name: string, type: number, more: ThriftStruct): ThriftStruct => ({
  1: type,
  3: optional,
  4: name,
  ...more
})

/** What {@link numberColumn} makes of a value: a bigint where a double does not hold it. */
type Figure = (value: unknown) => number | bigint | null

const numberColumn = (name: string, isWide: boolean, figure: Figure, more: ThriftStruct): BatchColumn => {
  const levels = new Levels(1)
  const words = new Words()
  const type = isWide ? physicalTypes.int64 : physicalTypes.int32
  return {
    add: (value) => {
      const number = value === null || value === undefined ? null : figure(value)
      if (number === null) return levels.push(0)
      levels.push(1)
      if (typeof number === "bigint") {
        words.push(Number(BigInt.asIntN(32, number)))
        words.push(Number(number >> 32n))
        return
      }
      words.push(number | 0)
      if (isWide) words.push(Math.floor(number / 4_294_967_296))
    },
    size: () => words.length * 4,
    take: () => ({
      schema: [leaf(name, type, more)],
      path: [name],
      type,
      values: levels.length,
      dictionary: null,
      data: [levels.take(), words.take()]
    })
  }
}

/** Texts of an open list that are known, and who hears of others. */
export interface OpenWords {
  readonly known: ReadonlySet<string>
  readonly onOther: (word: string) => void
}

const converted = { utf8: 0, json: 19 }

/** Texts that repeat are written once and numbered; a column whose texts do not repeat is written plain from its second batch on. */
const textColumn = (
  name: string,
  textOf: (value: unknown) => string,
  kind: number,
  open: OpenWords | null
): BatchColumn => {
  const levels = new Levels(1)
  const texts = new Texts()
  const numbers = new Words()
  let known: Map<string, number> | null = new Map()
  const addNumbered = (numbered: Map<string, number>, text: string) => {
    let number = numbered.get(text)
    if (number === undefined) {
      number = numbered.size
      numbered.set(text, number)
      texts.push(text)
    }
    numbers.push(number)
  }
  return {
    add: (value) => {
      if (value === null || value === undefined) return levels.push(0)
      const text = textOf(value)
      levels.push(1)
      if (open !== null && !open.known.has(text)) open.onOther(text)
      if (known === null) texts.push(text)
      else addNumbered(known, text)
    },
    size: () => texts.length + numbers.length * 4,
    take: () => {
      const chunk = { schema: [leaf(name, physicalTypes.bytes, { 6: kind })], path: [name], type: physicalTypes.bytes }
      const values = levels.length
      const there = levels.take()
      if (known === null) return { ...chunk, values, dictionary: null, data: [there, texts.take()] }
      const distinct = known.size
      const count = numbers.length
      while (numbers.length % 8 > 0) numbers.push(0)
      const head = Uint8Array.from([32, ...varint((numbers.length / 8) * 2 + 1)])
      const data = count === 0 ? [there, Uint8Array.from([0])] : [there, head, numbers.take()]
      if (distinct * 2 > count) known = null
      else known.clear()
      return { ...chunk, values, dictionary: { values: distinct, bytes: texts.take() }, data }
    }
  }
}

/** A list of texts: null, empty, or with texts. */
const listColumn = (name: string): BatchColumn => {
  const repeated = new Levels(1)
  const levels = new Levels(3)
  const texts = new Texts()
  const place = (isRepeated: number, level: number) => {
    repeated.push(isRepeated)
    levels.push(level)
  }
  return {
    add: (value) => {
      if (!Array.isArray(value)) return place(0, 0)
      if (value.length === 0) return place(0, 1)
      for (const [index, text] of value.entries()) {
        place(index === 0 ? 0 : 1, 3)
        texts.push(String(text))
      }
    },
    size: () => texts.length,
    take: () => ({
      schema: [
        { 3: optional, 4: name, 5: 1, 6: 3 },
        { 3: 2, 4: "list", 5: 1 },
        leaf("element", physicalTypes.bytes, { 6: converted.utf8 })
      ],
      path: [name, "list", "element"],
      type: physicalTypes.bytes,
      values: levels.length,
      dictionary: null,
      data: [repeated.take(), levels.take(), texts.take()]
    })
  }
}

const micros = { 8: { 1: true, 2: { 2: {} } } }

/** The column of a table by its DuckDB type. Throws on one that no table has: a fault of the program. */
export const batchColumn = (name: string, type: string, open: OpenWords | null): BatchColumn => {
  const [, digits, places] = /^decimal\((\d+), (\d+)\)$/.exec(type) ?? []
  if (digits !== undefined) {
    const most = 10 ** Number(digits)
    const figure: Figure = (value) => roundedTo(Number(places), most, Number(value))
    return numberColumn(name, true, figure, { 6: 5, 7: Number(places), 8: Number(digits) })
  }
  switch (type) {
    case "bigint":
      return numberColumn(name, true, Number, {})
    case "integer":
      return numberColumn(name, false, Number, {})
    case "timestamptz":
      return numberColumn(name, true, (value) => instantMicros(String(value)), { 6: 10, 10: micros })
    case "varchar":
      return textColumn(name, String, converted.utf8, open)
    case "json":
      return textColumn(name, (value) => JSON.stringify(value), converted.json, null)
    case "varchar[]":
      return listColumn(name)
    default:
      throw new Error(`No batch has a column of type ${type}`)
  }
}
