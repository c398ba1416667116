/** Numbers, words and texts without escapes and brackets: nothing nested, and nothing that two readers take differently. */
const value = String.raw`(?:-?\d{1,16}|true|false|null|"[^"\\[\]{}\x00-\x1f]{0,2000}")`
const pagination = String.raw`"pagination": ?\{(?:"\w{1,40}": ?${value}(?:, ?|(?=\}))){0,10}\}`
const before = new RegExp(String.raw`^\{(?:${pagination}, ?)?"data": ?$`)
const behind = new RegExp(String.raw`^(?:, ?${pagination})?\}\n?$`)

/** More than any pagination takes. */
const longestSide = 32_768

/**
 * Whether a page holds nothing but its records and a flat pagination: DuckDB walks all of a page, on a stack that a deeply nested value
 * beside the records overflows. `text` must be valid JSON; keys between the first and the last bracket are counted elsewhere.
 */
export const isPlainAround = (text: string): boolean => {
  const from = text.indexOf("[")
  const behindLast = text.lastIndexOf("]") + 1
  return (
    from <= longestSide &&
    text.length - behindLast <= longestSide &&
    before.test(text.slice(0, from)) &&
    behind.test(text.slice(behindLast))
  )
}
