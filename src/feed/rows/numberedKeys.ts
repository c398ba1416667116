import { isObject } from "./isObject.ts"
import { endOfString } from "../contract/jsonSpans.ts"

/** A JSON text without escapes in its keys. */
interface NumberedKeys {
  readonly text: string
  /** The key of the original text that a key of {@link text} stands for. */
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

/** Gives an object its own keys back, in their order. */
const rename = (
  object: Record<string, unknown>,
  entries: ReadonlyArray<readonly [string, unknown]>,
  nameOf: NumberedKeys["nameOf"]
) => {
  for (const [key] of entries) delete object[key]
  for (const [key, value] of entries) {
    // Defined and not assigned: a key `__proto__` is data here.
    Object.defineProperty(object, nameOf(key), { value, enumerable: true, configurable: true, writable: true })
  }
}
