import { isObject } from "./isObject.ts"
import { numberedKeys } from "./numberedKeys.ts"

/**
 * A value that cannot reach the lake exactly as it was
 * written. `path` is dotted, empty for the record itself.
 */
export interface UnsafeValue {
  readonly path: string
  readonly reason: string
}

/** Digits without sign, dot, exponent and padding, and their power of ten: equal for equal decimals. */
const decimal = (text: string): string => {
  const [mantissa = "", exponent = "0"] = text.replace(/^-/, "").toLowerCase().split("e")
  const [whole = "", places = ""] = mantissa.split(".")
  const digits = (whole + places).replace(/^0+/, "")
  const short = digits.replace(/0+$/, "")
  return short === "" ? "0" : `${short}e${Number(exponent) - places.length + digits.length - short.length}`
}

const isExact = (value: number, source: string): boolean =>
  Number.isFinite(value) && decimal(String(value)) === decimal(source)

/**
 * The first value of a record's text that cannot be stored exactly: a number, other than a percentage, with
 * more digits than a double has, or a string or key with half a surrogate pair. Null if there is none.
 */
export const unsafeValue = (text: string): UnsafeValue | null => {
  const inexact = new Map<object, Map<string, string>>()
  const reviver = function (this: object, key: string, value: unknown, context?: { readonly source?: string }) {
    const source = context?.source
    if (typeof value === "number" && source !== undefined && !isExact(value, source)) {
      const keys = inexact.get(this) ?? new Map<string, string>()
      inexact.set(this, keys.set(key, source))
    }
    return value
  }
  const { nameOf, text: numbered } = numberedKeys(text)
  const record: unknown = JSON.parse(numbered, reviver)
  return find(record, "", { inexact, nameOf })
}

/** Of a price block: percentages are rounded anyway, so their digits are no loss. */
const percentage = /^(?:prices|pricesByFinish\.[^]*)\.\w+\.change(?:24h|7d|30d)$/

const find = (
  value: unknown,
  path: string,
  known: {
    readonly inexact: ReadonlyMap<object, ReadonlyMap<string, string>>
    readonly nameOf: (key: string) => string
  }
): UnsafeValue | null => {
  if (typeof value === "string") return value.isWellFormed() ? null : { path, reason: "Unpaired surrogate in string" }
  if (!isObject(value)) return null
  const numbers = known.inexact.get(value)
  for (const [key, inner] of Object.entries(value)) {
    const name = known.nameOf(key)
    const at = path === "" ? name : `${path}.${name}`
    if (!name.isWellFormed()) return { path, reason: "Unpaired surrogate in key" }
    const source = numbers?.get(key)
    if (source !== undefined && !percentage.test(at))
      return { path: at, reason: `More digits than a number carries exactly: ${source.slice(0, 60)}` }
    const found = find(inner, at, known)
    if (found !== null) return found
  }
  return null
}
