import { afterSpace, endOfString, spansIn } from "../../feed/contract/jsonSpans.ts"

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
export const renameKeys = (bytes: Buffer, rule: KeyRule): Buffer => {
  // One letter a byte.
  const text = bytes.toString("latin1")
  const parts: Array<Uint8Array> = []
  let copied = 0
  const replace = (start: number, end: number, by: string) => {
    parts.push(bytes.subarray(copied, start), Buffer.from(by))
    copied = end
  }
  const rewrite = (open: number, { each, inside, names, omit }: KeyRule) => {
    const members = spansIn(text, open)
    let hasMember = false
    for (const [place, { at, end, key, start }] of members.entries()) {
      const unwanted = omit?.get(key)
      if (unwanted !== undefined && (unwanted === null || text.slice(start, end) === unwanted)) {
        const before = members[place - 1]
        const next = members[place + 1]
        if (hasMember && before !== undefined) replace(before.end, end, "")
        else replace(at, next === undefined ? end : next.at, "")
        continue
      }
      hasMember = true
      const name = names?.get(key)
      if (name !== undefined) replace(at + 1, endOfString(text, at) - 1, name)
      const inner = inside?.get(key) ?? each
      if (inner !== undefined && text[start] === "{") rewrite(start, inner)
    }
  }
  const start = afterSpace(text, 0)
  if (text[start] === "{") rewrite(start, rule)
  return copied === 0 ? bytes : Buffer.concat([...parts, bytes.subarray(copied)])
}
