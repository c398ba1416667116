import { type BatchColumn, converted, leaf, type ColumnChunk, physicalTypes, type ThriftStruct } from "./parquetFile.ts"
import { LevelBuffer, Int64Buffer, WholeBuffer, Int32Buffer } from "./columnBuffers.ts"
import { roundedTo } from "./roundedTo.ts"

const pattern = /^((\d{4}-\d{2}-(\d{2}))T\d{2}:\d{2}:\d{2})(?:\.(\d{1,9}))?(?:Z|([+-])(\d{2}):(\d{2}))$/

/** A cache of parsed dates, because a night has few different ones. */
const met = new Map<string, bigint | null>()
const maxMet = 10_000

const parsed = (text: string): bigint | null => {
  const [, seconds = "", date = "", day, fraction = "", sign, hours, minutes] = pattern.exec(text) ?? []
  const millis = Date.parse(`${seconds}Z`)
  // Date moves a day that does not exist, such as 02-31, to the next month.
  if (Number.isNaN(Date.parse(text)) || new Date(`${date}T00:00:00Z`).getUTCDate() !== Number(day)) return null
  const offset = sign === undefined ? 0 : (Number(hours) * 60 + Number(minutes)) * (sign === "-" ? -1 : 1)
  return BigInt(millis - offset * 60_000) * 1000n + BigInt(fraction.padEnd(6, "0").slice(0, 6))
}

/** Returns the microseconds since 1970 of an instant with a zone; null for other texts, such as `nullT00:00:00.000Z`. */
export const instantMicros = (text: string): bigint | null => {
  const known = met.get(text)
  if (known !== undefined) return known
  const micros = parsed(text)
  if (met.size === maxMet) met.clear()
  met.set(text, micros)
  return micros
}

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

/** A column of integers, or of decimals with `places` digits stored as integers. */
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

/** A column of UTC instants in microseconds. */
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
