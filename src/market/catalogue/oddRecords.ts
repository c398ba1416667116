import { Schema } from "effect"
import { type Json, readRecord } from "./Json.ts"
import { idOfLine, type TextLines } from "./textLines.ts"

/** `odd.json` of a game: what some of its products get or lack, so that the contract must refuse them. */
export const OddRecords = Schema.Struct({
  products: Schema.Array(
    Schema.Struct({
      id: Schema.Int,
      set: Schema.optionalKey(Schema.Record(Schema.String, Schema.Unknown)),
      without: Schema.optionalKey(Schema.Array(Schema.String))
    })
  )
})
export type OddRecords = typeof OddRecords.Type

/** The lines of a deployment's products with the odd ones in their places. */
export const withOddRecords = (lines: TextLines, { products }: OddRecords): TextLines => {
  if (products.length === 0) return lines
  const oddById = new Map(products.map((odd) => [String(odd.id), odd]))
  const odd = new Map<number, Buffer>()
  for (let index = 0; index < lines.size; index++) {
    const found = oddById.get(idOfLine(lines.line(index)))
    if (found === undefined) continue
    const record: Json = { ...readRecord(lines.line(index)), ...found.set }
    const kept = Object.entries(record).filter(([key]) => found.without?.includes(key) !== true)
    odd.set(index, Buffer.from(JSON.stringify(Object.fromEntries(kept))))
  }
  return { size: lines.size, line: (index) => odd.get(index) ?? lines.line(index) }
}
