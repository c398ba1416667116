import { isDeepStrictEqual } from "node:util"
import type { Touched, TouchedItem } from "./StoredCatalogue.ts"
import { feedSlug } from "./productFacts.ts"
import type { Json } from "./Json.ts"
import { idOfLine, type TextLines } from "./textLines.ts"

const parse = (line: Buffer): Json => JSON.parse(line.toString())

/** What a comparison looks at: the key that holds the slug, and the keys that do not count as a catalogue change. */
interface Comparison {
  readonly slugKey: "nameSlug" | "slug"
  readonly leaveOut: ReadonlySet<string>
}

/** Prices are inside a product but are not a catalogue change. Spec: changelog; the rule of the changelog counts. */
export const productComparison: Comparison = { slugKey: "nameSlug", leaveOut: new Set(["prices", "pricesByFinish"]) }
export const expansionComparison: Comparison = { slugKey: "slug", leaveOut: new Set() }

const without = (record: Json, keys: ReadonlySet<string>): Json =>
  keys.size === 0 ? record : Object.fromEntries(Object.entries(record).filter(([key]) => !keys.has(key)))

const named = (record: Json, { slugKey }: Comparison): TouchedItem => ({
  slug: String(record[slugKey] ?? ""),
  ...(slugKey === "nameSlug" ? { feedSlug: feedSlug(record) } : {})
})

/** The id is sent as a number: an odd id that is not an integer is left out. */
const touched = (record: Json, comparison: Comparison): TouchedItem => {
  const id = String(record["id"])
  const item = named(record, comparison)
  return Number.isSafeInteger(Number(id)) ? { ...item, id } : item
}

/** Everything of a first deployment is added. */
export const allAdded = (lines: TextLines, comparison: Comparison): Touched => ({
  added: {
    length: lines.size,
    *[Symbol.iterator]() {
      for (let index = 0; index < lines.size; index++) yield touched(parse(lines.line(index)), comparison)
    }
  },
  modified: [],
  removed: []
})

/** Added, modified and removed records by id. Equal texts are equal records, so only lines that differ are parsed. */
export const textChanges = (before: TextLines, after: TextLines, comparison: Comparison): Touched => {
  const places = new Map(Array.from({ length: before.size }, (_, index) => [idOfLine(before.line(index)), index]))
  const added: Array<TouchedItem> = []
  const modified: Array<TouchedItem> = []
  for (let index = 0; index < after.size; index++) {
    const line = after.line(index)
    const id = idOfLine(line)
    const place = places.get(id)
    places.delete(id)
    if (place === undefined) {
      added.push(touched(parse(line), comparison))
      continue
    }
    const old = before.line(place)
    if (old.equals(line)) continue
    const record = parse(line)
    if (!isDeepStrictEqual(without(parse(old), comparison.leaveOut), without(record, comparison.leaveOut))) {
      modified.push(touched(record, comparison))
    }
  }
  const removed = Array.from(places.values(), (place) => named(parse(before.line(place)), comparison))
  return { added, modified, removed }
}
