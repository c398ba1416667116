import { type BatchColumn, converted, leaf, optional, type ColumnChunk, physicalTypes, varint } from "./parquetFile.ts"
import { LevelBuffer, TextBuffer, Int32Buffer } from "./columnBuffers.ts"
import { isObject } from "../isObject.ts"

const textOrExponent = /"(?:[^"\\]|\\.)*"|e\+/g

/** A cache, because the attributes of a product are needed for its row and for its hash. */
let last: { readonly value: unknown; readonly text: string } = { value: undefined, text: "" }

/** Returns a value as JSON text with DuckDB's spelling of large numbers: `1e30`, not JavaScript's `1e+30`. */
const jsonText = (value: unknown): string => {
  if (value === last.value) return last.text
  const json = JSON.stringify(value)
  const text = json.includes("e+") ? json.replaceAll(textOrExponent, (found) => (found === "e+" ? "e" : found)) : json
  if (isObject(value)) last = { value, text }
  return text
}

/** The known values of an open list, and the callback for unknown ones. */
export interface OpenWords {
  readonly known: ReadonlySet<string>
  readonly onOther: (word: string) => void
}

/** A text column with a dictionary. If its texts do not repeat, it is plain from the second batch on. */
export class TextColumn implements BatchColumn {
  readonly #levels = new LevelBuffer(1)
  readonly #texts = new TextBuffer()
  readonly #numbers = new Int32Buffer()
  readonly #name: string
  readonly #open: OpenWords | null
  /** The dictionary numbers of unknown values. */
  readonly #others = new Set<number>()
  #numberOf: Map<string, number> | null = new Map()

  constructor(name: string, open: OpenWords | null) {
    this.#name = name
    this.#open = open
  }

  add(value: unknown): void {
    if (value === null || value === undefined) return this.#levels.push(0)
    const text = typeof value === "string" ? value : String(value)
    this.#levels.push(1)
    if (this.#numberOf === null) {
      if (this.#open?.known.has(text) === false) this.#open.onOther(text)
      return this.#texts.push(text)
    }
    let number = this.#numberOf.get(text)
    if (number === undefined) {
      number = this.#numberOf.size
      this.#numberOf.set(text, number)
      this.#texts.push(text)
      if (this.#open?.known.has(text) === false) this.#others.add(number)
    }
    if (this.#others.size > 0 && this.#others.has(number)) this.#open?.onOther(text)
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
    // With a width of 32 bits, bit-packed numbers have the layout of the memory.
    const head = count === 0 ? [0] : [32, ...varint((this.#numbers.length / 8) * 2 + 1)]
    const data = [levels, Uint8Array.from(head), this.#numbers.take()]
    if (distinct * 2 > count) this.#numberOf = null
    else this.#numberOf.clear()
    this.#others.clear()
    return { ...chunk, values, dictionary: { values: distinct, bytes: this.#texts.take() }, data }
  }
}

export class JsonColumn implements BatchColumn {
  readonly #levels = new LevelBuffer(1)
  readonly #texts = new TextBuffer()
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

/** A column of lists of texts; a list may be null or empty. */
export class ListColumn implements BatchColumn {
  readonly #repeated = new LevelBuffer(1)
  readonly #levels = new LevelBuffer(3)
  readonly #texts = new TextBuffer()
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
