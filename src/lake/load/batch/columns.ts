import { Levels, Texts, Words } from "./Growing.ts"
import { instantMicros } from "./instantMicros.ts"
import { jsonText } from "./jsonText.ts"
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
const converted = { utf8: 0, decimal: 5, micros: 10, json: 19 }

/** Whole numbers of 32 or 64 bits. What `wholeOf` makes of a value is a bigint where a double does not hold it. */
class NumberColumn implements BatchColumn {
  readonly #levels = new Levels(1)
  readonly #words = new Words()
  readonly #name: string
  readonly #isWide: boolean
  readonly #wholeOf: (value: unknown) => number | bigint | null
  readonly #more: ThriftStruct

  constructor(
    name: string,
    isWide: boolean,
    wholeOf: (value: unknown) => number | bigint | null = Number,
    more: ThriftStruct = {}
  ) {
    this.#name = name
    this.#isWide = isWide
    this.#wholeOf = wholeOf
    this.#more = more
  }

  add(value: unknown): void {
    const whole = value === null || value === undefined ? null : this.#wholeOf(value)
    if (whole === null) return this.#levels.push(0)
    this.#levels.push(1)
    if (typeof whole === "bigint") {
      this.#words.push(Number(BigInt.asIntN(32, whole)))
      return this.#words.push(Number(whole >> 32n))
    }
    this.#words.push(whole | 0)
    if (this.#isWide) this.#words.push(Math.floor(whole / 4_294_967_296))
  }

  size(): number {
    return this.#words.length * 4
  }

  take(): ColumnChunk {
    const type = this.#isWide ? physicalTypes.int64 : physicalTypes.int32
    const values = this.#levels.length
    const data = [this.#levels.take(), this.#words.take()]
    return { schema: [leaf(this.#name, type, this.#more)], path: [this.#name], type, values, dictionary: null, data }
  }
}

/** Texts of an open list that are known, and who hears of others. */
export interface OpenWords {
  readonly known: ReadonlySet<string>
  readonly onOther: (word: string) => void
}

/** Texts that repeat are written once and numbered; a column whose texts do not repeat is written plain from its second batch on. */
class TextColumn implements BatchColumn {
  readonly #levels = new Levels(1)
  readonly #texts = new Texts()
  readonly #numbers = new Words()
  readonly #name: string
  readonly #open: OpenWords | null
  #numberOf: Map<string, number> | null = new Map()

  constructor(name: string, open: OpenWords | null) {
    this.#name = name
    this.#open = open
  }

  add(value: unknown): void {
    if (value === null || value === undefined) return this.#levels.push(0)
    const text = typeof value === "string" ? value : String(value)
    this.#levels.push(1)
    if (this.#open !== null && !this.#open.known.has(text)) this.#open.onOther(text)
    if (this.#numberOf === null) return this.#texts.push(text)
    let number = this.#numberOf.get(text)
    if (number === undefined) {
      number = this.#numberOf.size
      this.#numberOf.set(text, number)
      this.#texts.push(text)
    }
    this.#numbers.push(number)
  }

  size(): number {
    return this.#texts.length + this.#numbers.length * 4
  }

  take(): ColumnChunk {
    const type = physicalTypes.bytes
    const chunk = { schema: [leaf(this.#name, type, { 6: converted.utf8 })], path: [this.#name], type }
    const values = this.#levels.length
    const levels = this.#levels.take()
    if (this.#numberOf === null) return { ...chunk, values, dictionary: null, data: [levels, this.#texts.take()] }
    const distinct = this.#numberOf.size
    const count = this.#numbers.length
    while (this.#numbers.length % 8 > 0) this.#numbers.push(0)
    // Numbers of 32 bits, all of them packed: as they lie in memory.
    const head = count === 0 ? [0] : [32, ...varint((this.#numbers.length / 8) * 2 + 1)]
    const data = [levels, Uint8Array.from(head), this.#numbers.take()]
    if (distinct * 2 > count) this.#numberOf = null
    else this.#numberOf.clear()
    return { ...chunk, values, dictionary: { values: distinct, bytes: this.#texts.take() }, data }
  }
}

/** Values as JSON text. */
class JsonColumn implements BatchColumn {
  readonly #levels = new Levels(1)
  readonly #texts = new Texts()
  readonly #name: string

  constructor(name: string) {
    this.#name = name
  }

  add(value: unknown): void {
    if (value === null || value === undefined) return this.#levels.push(0)
    this.#levels.push(1)
    this.#texts.push(jsonText(value))
  }

  size(): number {
    return this.#texts.length
  }

  take(): ColumnChunk {
    const type = physicalTypes.bytes
    const values = this.#levels.length
    const data = [this.#levels.take(), this.#texts.take()]
    const schema = [leaf(this.#name, type, { 6: converted.json })]
    return { schema, path: [this.#name], type, values, dictionary: null, data }
  }
}

/** Lists of texts: null, empty, or with texts. */
class ListColumn implements BatchColumn {
  readonly #repeated = new Levels(1)
  readonly #levels = new Levels(3)
  readonly #texts = new Texts()
  readonly #name: string

  constructor(name: string) {
    this.#name = name
  }

  #place(isRepeated: number, level: number): void {
    this.#repeated.push(isRepeated)
    this.#levels.push(level)
  }

  add(value: unknown): void {
    if (!Array.isArray(value)) return this.#place(0, 0)
    if (value.length === 0) return this.#place(0, 1)
    for (const [index, text] of value.entries()) {
      this.#place(index === 0 ? 0 : 1, 3)
      this.#texts.push(String(text))
    }
  }

  size(): number {
    return this.#texts.length
  }

  take(): ColumnChunk {
    const type = physicalTypes.bytes
    const values = this.#levels.length
    return {
      schema: [
        { 3: optional, 4: this.#name, 5: 1, 6: 3 },
        { 3: 2, 4: "list", 5: 1 },
        leaf("element", type, { 6: converted.utf8 })
      ],
      path: [this.#name, "list", "element"],
      type,
      values,
      dictionary: null,
      data: [this.#repeated.take(), this.#levels.take(), this.#texts.take()]
    }
  }
}

/** In UTC, to the microsecond. */
const instant = { 6: converted.micros, 10: { 8: { 1: true, 2: { 2: {} } } } }

/** The column of a table by its DuckDB type. Throws on one that no table has: a fault of the program. */
export const batchColumn = (name: string, type: string, open: OpenWords | null): BatchColumn => {
  const [, digits, places] = /^decimal\((\d+), (\d+)\)$/.exec(type) ?? []
  if (digits !== undefined) {
    const round = roundedTo(Number(places), 10 ** Number(digits))
    return new NumberColumn(name, true, (value) => round(Number(value)), {
      6: converted.decimal,
      7: Number(places),
      8: Number(digits)
    })
  }
  switch (type) {
    case "bigint":
      return new NumberColumn(name, true)
    case "integer":
      return new NumberColumn(name, false)
    case "timestamptz":
      return new NumberColumn(name, true, (value) => instantMicros(String(value)), instant)
    case "varchar":
      return new TextColumn(name, open)
    case "json":
      return new JsonColumn(name)
    case "varchar[]":
      return new ListColumn(name)
    default:
      throw new Error(`No batch has a column of type ${type}`)
  }
}
