import { type BatchColumn, converted, leaf } from "./BatchColumn.ts"
import { LevelBuffer, Int64Buffer, WholeBuffer, Int32Buffer } from "./columnBuffers.ts"
import { instantMicros } from "./instantMicros.ts"
import { type ColumnChunk, physicalTypes } from "./parquetFile.ts"
import { roundedTo } from "./roundedTo.ts"
import type { ThriftStruct } from "./thrift.ts"

/** What the columns of numbers have in common. */
const numbersChunk = (
  name: string,
  type: number,
  more: ThriftStruct,
  levels: LevelBuffer,
  numbers: Uint8Array
): ColumnChunk => {
  const values = levels.length
  const schema = [leaf(name, type, more)]
  return { schema, path: [name], type, values, dictionary: null, data: [levels.take(), numbers] }
}

export class IntegerColumn implements BatchColumn {
  readonly #levels = new LevelBuffer(1)
  readonly #words = new Int32Buffer()
  readonly #name: string

  constructor(name: string) {
    this.#name = name
  }

  add(value: unknown): void {
    if (value === null || value === undefined) return this.#levels.push(0)
    this.#levels.push(1)
    this.#words.push(Number(value))
  }

  size(): number {
    return this.#words.length * 4
  }

  take(): ColumnChunk {
    return numbersChunk(this.#name, physicalTypes.int32, {}, this.#levels, this.#words.take())
  }
}

/** Whole numbers; with `places`, what is left of figures without their dot. */
export class WholeColumn implements BatchColumn {
  readonly #levels = new LevelBuffer(1)
  readonly #wholes = new WholeBuffer()
  readonly #name: string
  readonly #round: ((figure: number) => number | null) | null
  readonly #more: ThriftStruct

  constructor(name: string, decimal: { readonly digits: number; readonly places: number } | null = null) {
    this.#name = name
    this.#round = decimal === null ? null : roundedTo(decimal.places, 10 ** decimal.digits)
    this.#more = decimal === null ? {} : { 6: converted.decimal, 7: decimal.places, 8: decimal.digits }
  }

  add(value: unknown): void {
    if (value === null || value === undefined) return this.#levels.push(0)
    const number = typeof value === "number" ? value : Number(value)
    const whole = this.#round === null ? number : this.#round(number)
    if (whole === null) return this.#levels.push(0)
    this.#levels.push(1)
    this.#wholes.push(whole)
  }

  size(): number {
    return this.#wholes.length * 8
  }

  take(): ColumnChunk {
    return numbersChunk(this.#name, physicalTypes.int64, this.#more, this.#levels, this.#wholes.take())
  }
}

/** In UTC, to the microsecond. */
const instant = { 6: converted.micros, 10: { 8: { 1: true, 2: { 2: {} } } } }

export class InstantColumn implements BatchColumn {
  readonly #levels = new LevelBuffer(1)
  readonly #longs = new Int64Buffer()
  readonly #name: string

  constructor(name: string) {
    this.#name = name
  }

  add(value: unknown): void {
    const micros = value === null || value === undefined ? null : instantMicros(String(value))
    if (micros === null) return this.#levels.push(0)
    this.#levels.push(1)
    this.#longs.push(micros)
  }

  size(): number {
    return this.#longs.length * 8
  }

  take(): ColumnChunk {
    return numbersChunk(this.#name, physicalTypes.int64, instant, this.#levels, this.#longs.take())
  }
}
