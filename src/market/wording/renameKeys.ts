import { afterSpace, endOfString, spansIn } from "../../feed/contract/jsonSpans.ts"

/** Changes to an object of a JSON text. Keys are those of the input. */
export interface KeyRule {
  /** New names of keys. */
  readonly names?: ReadonlyMap<string, string>
  /** Members to omit: always (null), or only with this JSON text as value. */
  readonly omit?: ReadonlyMap<string, string | null>
  /** Rules for objects under these keys. */
  readonly inside?: ReadonlyMap<string, KeyRule>
  /** The rule for objects under all other keys. */
  readonly each?: KeyRule
}

/**
 * Rewrites keys of a JSON text by a rule. The rest is unchanged byte for byte. Invalid JSON is copied unchanged from
 * its first error on.
 */
export const renameKeys = (bytes: Buffer, rule: KeyRule): Buffer => {
  // Latin-1 has one character per byte.
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
