import { type BatchColumn, converted, leaf, type ColumnChunk, physicalTypes, type ThriftStruct } from "./parquetFile.ts"
import { Int32Buffer, LevelBuffer } from "./columnBuffers.ts"
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

/** A column of numbers, each in one or two words. */
abstract class NumberColumn implements BatchColumn {
  protected readonly levels = new LevelBuffer(1)
  protected readonly words = new Int32Buffer()
  readonly #name: string
  readonly #type: number
  readonly #more: ThriftStruct

  constructor(name: string, type: number, more: ThriftStruct = {}) {
    this.#name = name
    this.#type = type
    this.#more = more
  }

  abstract add(value: unknown): void

  size(): number {
    return this.words.length * 4
  }

  take(): ColumnChunk {
    const [name, type] = [this.#name, this.#type]
    const values = this.levels.length
    const data = [this.levels.take(), this.words.take()]
    return { schema: [leaf(name, type, this.#more)], path: [name], type, values, dictionary: null, data }
  }
}

export class IntegerColumn extends NumberColumn {
  constructor(name: string) {
    super(name, physicalTypes.int32)
  }

  add(value: unknown): void {
    if (value === null || value === undefined) return this.levels.push(0)
    this.levels.push(1)
    this.words.push(Number(value))
  }
}

/** A column of integers, or of decimals with `places` digits stored as integers. */
export class WholeColumn extends NumberColumn {
  readonly #round: ((figure: number) => number | null) | null

  constructor(name: string, decimal: { readonly digits: number; readonly places: number } | null = null) {
    const more = decimal === null ? {} : { 6: converted.decimal, 7: decimal.places, 8: decimal.digits }
    super(name, physicalTypes.int64, more)
    this.#round = decimal === null ? null : roundedTo(decimal.places, 10 ** decimal.digits)
  }

  add(value: unknown): void {
    if (value === null || value === undefined) return this.levels.push(0)
    const number = typeof value === "number" ? value : Number(value)
    const whole = this.#round === null ? number : this.#round(number)
    if (whole === null) return this.levels.push(0)
    this.levels.push(1)
    this.words.pushWhole(whole)
  }
}

/** A column of UTC instants in microseconds. */
export class InstantColumn extends NumberColumn {
  constructor(name: string) {
    super(name, physicalTypes.int64, { 6: converted.micros, 10: { 8: { 1: true, 2: { 2: {} } } } })
  }

  add(value: unknown): void {
    const micros = value === null || value === undefined ? null : instantMicros(String(value))
    if (micros === null) return this.levels.push(0)
    this.levels.push(1)
    this.words.push(Number(BigInt.asIntN(32, micros)))
    this.words.push(Number(micros >> 32n))
  }
}
