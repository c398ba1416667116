import { afterSpace, closingQuote, colon, comma, endOfValue, openBrace, quote } from "./jsonWalk.ts"

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
