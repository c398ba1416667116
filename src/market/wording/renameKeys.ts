/** What is written otherwise in an object of a JSON text. Keys are those of the text that is read. */
export interface KeyRule {
  /** The name that a key gets. */
  readonly names?: ReadonlyMap<string, string>
  /** Members that are left out: whatever they say (null), or if they say this JSON text. */
  readonly omit?: ReadonlyMap<string, string | null>
  /** Rules of the objects under certain keys. */
  readonly inside?: ReadonlyMap<string, KeyRule>
  /** The rule of the objects under all other keys. */
  readonly each?: KeyRule
}

const quote = 34
const comma = 44
const colon = 58
const backslash = 92
const openBrace = 123
const closeBrace = 125
const isOpen = (byte: number | undefined) => byte === openBrace || byte === 91
const isClose = (byte: number | undefined) => byte === closeBrace || byte === 93
const isSpace = (byte: number | undefined) => byte === 32 || byte === 10 || byte === 13 || byte === 9

const afterSpace = (text: Buffer, from: number): number => {
  let at = from
  while (isSpace(text[at])) at++
  return at
}

/** Index of the quote that closes the string opened at `open`; the text's end if none does. */
const closingQuote = (text: Buffer, open: number): number => {
  for (let at = text.indexOf(quote, open + 1); at !== -1; at = text.indexOf(quote, at + 1)) {
    let first = at
    while (text[first - 1] === backslash) first--
    if ((at - first) % 2 === 0) return at
  }
  return text.length
}

/** Index behind the value that begins at `start`. */
const endOfValue = (text: Buffer, start: number): number => {
  let depth = 0
  for (let at = start; at < text.length; at++) {
    const byte = text[at]
    if (depth === 0 && at > start && (byte === comma || isClose(byte) || isSpace(byte))) return at
    if (byte === quote) at = closingQuote(text, at)
    else if (isOpen(byte)) depth += 1
    else if (isClose(byte)) depth -= 1
    if (depth === 0 && (byte === quote || isClose(byte))) return at + 1
  }
  return text.length
}

/**
 * A JSON text with other keys where the rule says so. All else stays byte for byte: order, spaces, the digits of
 * numbers. A text that is not JSON is copied from the place on where that shows.
 */
export const renameKeys = (text: Buffer, rule: KeyRule): Buffer => {
  const parts: Array<Uint8Array> = []
  let copied = 0
  const replace = (start: number, end: number, by: string) => {
    parts.push(text.subarray(copied, start), Buffer.from(by))
    copied = end
  }
  /** Index behind the object that opens at `open`. */
  const rewrite = (open: number, { each, inside, names, omit }: KeyRule): number => {
    let hasMember = false
    let lastComma = open
    let at = afterSpace(text, open + 1)
    while (text[at] === quote) {
      const keyEnd = closingQuote(text, at)
      const afterKey = afterSpace(text, keyEnd + 1)
      if (text[afterKey] !== colon) return text.length
      const key = text.toString("latin1", at + 1, keyEnd)
      const value = afterSpace(text, afterKey + 1)
      const unwanted = omit?.get(key)
      const isOmitted =
        unwanted !== undefined &&
        (unwanted === null || text.toString("latin1", value, endOfValue(text, value)) === unwanted)
      const name = names?.get(key)
      if (name !== undefined && !isOmitted) replace(at + 1, keyEnd, name)
      const rule = inside?.get(key) ?? each
      const end =
        rule === undefined || isOmitted || text[value] !== openBrace ? endOfValue(text, value) : rewrite(value, rule)
      const next = afterSpace(text, end)
      const isLast = text[next] !== comma
      if (isOmitted) replace(hasMember ? lastComma : at, hasMember || isLast ? end : next + 1, "")
      else hasMember = true
      if (isLast) return next + 1
      lastComma = next
      at = afterSpace(text, next + 1)
    }
    return at + 1
  }
  const start = afterSpace(text, 0)
  if (text[start] === openBrace) rewrite(start, rule)
  return copied === 0 ? text : Buffer.concat([...parts, text.subarray(copied)])
}
