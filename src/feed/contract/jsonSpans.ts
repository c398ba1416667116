/** The position of a value in a JSON text: its key or index, the start of its key, its start and its end. */
export interface Span {
  readonly key: string
  readonly at: number
  readonly start: number
  readonly end: number
}

const quote = 0x22
const backslash = 0x5c
const isSpace = (code: number): boolean => code === 0x20 || code === 0x0a || code === 0x0d || code === 0x09

export const afterSpace = (text: string, from: number): number => {
  let at = from
  while (isSpace(text.charCodeAt(at))) at++
  return at
}

/** Returns the index after the string that opens at `open`. */
export const endOfString = (text: string, open: number): number => {
  let close = text.indexOf('"', open + 1)
  while (close !== -1) {
    let escapes = 0
    while (text.charCodeAt(close - 1 - escapes) === backslash) escapes += 1
    if (escapes % 2 === 0) return close + 1
    close = text.indexOf('"', close + 1)
  }
  return text.length
}

/** Returns the index after the value that begins at `start`. */
export const endOfValue = (text: string, start: number): number => {
  let depth = 0
  for (let at = start; at < text.length; at++) {
    const code = text.charCodeAt(at)
    if (code === quote) {
      at = endOfString(text, at) - 1
      if (depth === 0) return at + 1
    } else if (code === 0x7b || code === 0x5b) depth += 1
    else if (code === 0x7d || code === 0x5d) {
      depth -= 1
      if (depth === 0) return at + 1
      if (depth < 0) return at
    } else if (depth === 0 && (code === 0x2c || isSpace(code))) return at
  }
  return text.length
}

/** Returns the decoded JSON string; the text unchanged if it is not valid JSON. */
export const textIn = (written: string): string => {
  try {
    return written.includes("\\") ? String(JSON.parse(written)) : written.slice(1, -1)
  } catch {
    return written
  }
}

/** The values of the object or list that opens at `open`; of invalid JSON, those before the fault. */
export const spansIn = (text: string, open: number): ReadonlyArray<Span> => {
  const isObject = text[open] === "{"
  if (!isObject && text[open] !== "[") return []
  const spans: Array<Span> = []
  let at = afterSpace(text, open + 1)
  while (at < text.length && text[at] !== "}" && text[at] !== "]") {
    let key = String(spans.length)
    let start = at
    if (isObject) {
      const end = endOfString(text, at)
      const colon = afterSpace(text, end)
      if (text[at] !== '"' || text[colon] !== ":") break
      key = textIn(text.slice(at, end))
      start = afterSpace(text, colon + 1)
    }
    const end = endOfValue(text, start)
    spans.push({ key, at, start, end })
    const next = afterSpace(text, end)
    if (text[next] !== ",") break
    at = afterSpace(text, next + 1)
  }
  return spans
}

/** Returns the value at a path of keys; null if there is none. Of duplicate keys it takes the last, like JSON.parse. */
export const spanAt = (text: string, path: ReadonlyArray<string>): Span | null => {
  const start = afterSpace(text, text.startsWith("\uFEFF") ? 1 : 0)
  if (path.length === 0) return { key: "", at: start, start, end: endOfValue(text, start) }
  let found: Span | undefined
  for (const key of path) {
    found = spansIn(text, found?.start ?? start).findLast((span) => span.key === key)
    if (found === undefined) return null
  }
  return found ?? null
}

/** An object (with the keys seen so far) or an array around a position in a text, and the key or index there. */
interface Around {
  readonly seen: Set<string> | null
  at: string | number
}

const colon = /[ \t\r\n]*:/y

/**
 * Returns the dotted path of the first duplicate key of a JSON text; null if there is none.
 * JSON.parse takes the last one, other readers the first one, both, or none.
 */
export const duplicateKey = (text: string): string | null => {
  const around: Array<Around> = []
  for (let at = 0; at < text.length; at++) {
    const char = text[at]
    const inside = around.at(-1)
    if (char === '"') {
      const end = endOfString(text, at)
      // A string before a colon is a key.
      colon.lastIndex = end
      if (inside?.seen && colon.test(text)) {
        inside.at = String(JSON.parse(text.slice(at, end)))
        if (inside.seen.has(inside.at)) return around.map(({ at }) => at).join(".")
        inside.seen.add(inside.at)
      }
      at = end - 1
    } else if (char === "{") around.push({ seen: new Set(), at: "" })
    else if (char === "[") around.push({ seen: null, at: 0 })
    else if (char === "}" || char === "]") around.pop()
    else if (char === "," && inside?.seen === null) inside.at = Number(inside.at) + 1
  }
  return null
}
