/** A value in a JSON text: the key or the place that it is under, and where it begins and ends. */
export interface Span {
  readonly key: string
  readonly start: number
  readonly end: number
}

const space = /[ \t\r\n]*/y

export const afterSpace = (text: string, at: number): number => {
  space.lastIndex = at
  return at + (space.exec(text)?.[0].length ?? 0)
}

const backslash = 0x5c

/** Index just behind the string that opens at `open`. */
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

const string = /"(?:[^"\\]|\\.)*"?/sy

/** Index behind the value that begins at `start`. The text must be valid JSON. */
export const endOfValue = (text: string, start: number): number => {
  let depth = 0
  for (let at = start; at < text.length; at++) {
    const char = text[at] ?? ""
    if (char === '"') {
      string.lastIndex = at
      at += (string.exec(text)?.[0].length ?? 1) - 1
      if (depth === 0) return at + 1
    } else if (char === "{" || char === "[") depth += 1
    else if (char === "}" || char === "]") {
      depth -= 1
      if (depth === 0) return at + 1
      if (depth < 0) return at
    } else if (depth === 0 && /[,\s]/.test(char)) return at
  }
  return text.length
}

/** The values in the object or list that opens at `open`; none if neither does. The text must be valid JSON. */
export const spansIn = (text: string, open: number): ReadonlyArray<Span> => {
  const isObject = text[open] === "{"
  if (!isObject && text[open] !== "[") return []
  const spans: Array<Span> = []
  let at = afterSpace(text, open + 1)
  while (at < text.length && text[at] !== "}" && text[at] !== "]") {
    let key = String(spans.length)
    if (isObject) {
      const end = endOfValue(text, at)
      key = String(JSON.parse(text.slice(at, end)))
      at = afterSpace(text, afterSpace(text, end) + 1)
    }
    const end = endOfValue(text, at)
    spans.push({ key, start: at, end })
    at = afterSpace(text, end)
    if (text[at] === ",") at = afterSpace(text, at + 1)
  }
  return spans
}

/** The value under these keys, one in the other; null if there is none. Of equal keys the last counts, as in JSON.parse. */
export const spanAt = (text: string, path: ReadonlyArray<string>): Span | null => {
  const start = afterSpace(text, text.startsWith("\uFEFF") ? 1 : 0)
  let found: Span = { key: "", start, end: endOfValue(text, start) }
  for (const key of path) {
    const inner = spansIn(text, found.start).findLast((span) => span.key === key)
    if (inner === undefined) return null
    found = inner
  }
  return found
}
