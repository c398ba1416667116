import { parseDecimal } from "./batch/roundedTo.ts"
import { isObject } from "./isObject.ts"
import { endOfString } from "../contract/jsonSpans.ts"

/** A JSON text without escapes in its keys. */
interface NumberedKeys {
  readonly text: string
  /** Returns the original key of a key of {@link text}. */
  readonly nameOf: (key: string) => string
}

/** Begins the keys that stand for others; no language has a letter of it. */
const mark = "\uE000"

const colon = /[ \t\r\n]*:/y

/**
 * JSON.parse of Node 24 misreads some keys with an escape: `"\t"` is read as `"\\"` if an object parsed before had
 * that key in its place. Here such keys are numbers for as long as they are in a text.
 */
export const numberedKeys = (text: string): NumberedKeys => {
  const names: Array<string> = []
  const pieces: Array<string> = []
  let done = 0
  for (let at = text.indexOf('"'); at !== -1; at = text.indexOf('"', at)) {
    const end = endOfString(text, at)
    const string = text.slice(at, end)
    colon.lastIndex = end
    if ((string.includes("\\") || string.startsWith(mark, 1)) && colon.test(text)) {
      pieces.push(text.slice(done, at), `"${mark}${names.length}"`)
      // As a text and not as a key, it is read right.
      names.push(String(JSON.parse(string)))
      done = end
    }
    at = end
  }
  if (names.length === 0) return { text, nameOf: (key) => key }
  return {
    text: pieces.join("") + text.slice(done),
    nameOf: (key) => (key.startsWith(mark) ? (names[Number(key.slice(mark.length))] ?? key) : key)
  }
}

/** A record as its text says it, which must be valid JSON; its keys, too, have no mistakes. */
export const parseRecord = (raw: string, reviver?: Parameters<typeof JSON.parse>[1]): unknown => {
  const { nameOf, text } = numberedKeys(raw)
  const record: unknown = JSON.parse(text, reviver)
  if (text === raw) return record
  const open = [record]
  for (let at = open.pop(); at !== undefined; at = open.pop()) {
    if (!isObject(at)) continue
    const entries = Object.entries(at)
    if (!Array.isArray(at) && entries.some(([key]) => key !== nameOf(key))) rename(at, entries, nameOf)
    open.push(...entries.map(([, value]) => value).filter(isObject))
  }
  return record
}

/** Restores an object's original keys, in their order. */
const rename = (
  object: Record<string, unknown>,
  entries: ReadonlyArray<readonly [string, unknown]>,
  nameOf: NumberedKeys["nameOf"]
) => {
  for (const [key] of entries) delete object[key]
  for (const [key, value] of entries) {
    // Defined and not assigned, because a key `__proto__` is data here.
    Object.defineProperty(object, nameOf(key), { value, enumerable: true, configurable: true, writable: true })
  }
}

/** Digits and their power of ten: equal for equal decimals, whatever their sign. */
const decimal = (text: string): string => {
  const { digits, point } = parseDecimal(text)
  const from = digits.search(/[1-9]/)
  return from === -1 ? "0" : `${digits.slice(from).replace(/0+$/, "")}e${point - from}`
}

const isExact = (value: number, source: string): boolean =>
  Number.isFinite(value) && decimal(String(value)) === decimal(source)

/** A record as its text says it. A number with more digits than a double is a symbol with its text. */
export const exactRecord = (raw: string): unknown =>
  parseRecord(raw, (_, value: unknown, context?: { readonly source?: string }) =>
    typeof value === "number" && context?.source !== undefined && !isExact(value, context.source)
      ? Symbol(context.source)
      : value
  )

/** Puts something in the place of each symbol of a record, which is changed in place. */
const replaceSymbols = <A>(at: A, to: (text: string, path: string) => unknown, path = ""): A => {
  if (!isObject(at)) return at
  for (const [key, value] of Object.entries(at)) {
    const name = path === "" ? key : `${path}.${key}`
    if (typeof value !== "symbol") replaceSymbols(value, to, name)
    // Defined and not assigned, because a key `__proto__` is data here.
    else Object.defineProperty(at, key, { value: to(value.description ?? "", name) ?? value })
  }
  return at
}

/** Gives an accepted record the texts of the numbers that open fields have. */
export const withTexts = <A>(record: A): A => replaceSymbols(record, (text) => text)

const percentage = /^(?:prices|pricesByFinish\.[^]*)\.\w+\.change(?:24h|7d|30d)$/

/** Cuts percentages after the fifth place, which rounds the fourth; whatever follows is a one in the sixth. */
export const withCutPercentages = <A>(record: A): A =>
  replaceSymbols(record, (text, path) => {
    if (!percentage.test(path)) return undefined
    const { digits, point } = parseDecimal(text)
    const end = Math.max(0, point + 5)
    if (!/[1-9]/.test(digits.slice(end))) return Number(text)
    return Number(`${text.startsWith("-") ? "-" : ""}${digits.slice(0, end)}1e-6`)
  })

/** The first text or key with half a surrogate pair, which cannot reach the lake as it was written; null: none. */
export const unpairedText = (value: unknown, path = ""): { readonly path: string; readonly reason: string } | null => {
  if (typeof value === "string") return value.isWellFormed() ? null : { path, reason: "Unpaired surrogate in string" }
  if (!isObject(value)) return null
  for (const [key, inner] of Object.entries(value)) {
    if (!key.isWellFormed()) return { path, reason: "Unpaired surrogate in key" }
    const found = unpairedText(inner, path === "" ? key : `${path}.${key}`)
    if (found !== null) return found
  }
  return null
}
