import type { Duplex } from "node:stream"
import type { Token } from "stream-json/parser.js"
import { streamArray } from "stream-json/streamers/stream-array.js"
import { withParser } from "stream-json/utils/with-parser.js"
import { maxRowLength, rowTooLong } from "./maxRowLength.ts"

/** Where an item of the list may end. */
const lastTokens: ReadonlySet<Token["name"]> = new Set([
  "endObject",
  "endArray",
  "stringValue",
  "numberValue",
  "trueValue",
  "falseValue",
  "nullValue"
] as const)

/** These repeat the chunks before them, or are not in the text. */
const uncounted: ReadonlySet<Token["name"]> = new Set([
  "keyValue",
  "stringValue",
  "numberValue",
  "startNumber",
  "endNumber"
] as const)

const lengthOf = (token: Token): number => {
  if (token.name === "stringChunk" || token.name === "numberChunk") return token.value.length
  return uncounted.has(token.name) ? 0 : 1
}

/** Puts the items of a list together, and counts each one while it grows: nothing is kept of one that is too long. */
const boundedItems = () => {
  const assemble = streamArray()
  let row = 1
  let depth = 0
  let length = 0
  const countAndAssemble = (token: Token): unknown => {
    const { name } = token
    if (name === "startObject" || name === "startArray") depth += 1
    else if (name === "endObject" || name === "endArray") depth -= 1
    length += lengthOf(token)
    if (length > maxRowLength) throw rowTooLong(`row ${row}`)
    const item = assemble(token)
    if (depth !== 1 || !lastTokens.has(name)) return item
    const counted = { ...Object(item), length }
    row += 1
    length = 0
    return counted
  }
  return Object.assign(countAndAssemble, assemble)
}

/** Items of a JSON list as they come, one waiting at a time: `{value, length}`. Fails at one that is too long. */
export const jsonRows = (): Duplex => withParser.asStream(boundedItems, { readableHighWaterMark: 1 })
