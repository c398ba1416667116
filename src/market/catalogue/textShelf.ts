import { type KeyRule, renameKeys } from "../wording/renameKeys.ts"
import { productFacts, type ProductFacts, type ProductShelf, type StoredExpansion } from "./StoredCatalogue.ts"

/** The lines of a text buffer, by index, without copies. */
export interface TextLines {
  readonly size: number
  readonly line: (index: number) => Buffer
}

const newline = 10

/** Finds the non-empty lines of an NDJSON body. */
export const textLines = (body: Buffer): TextLines => {
  const bounds: Array<number> = []
  for (let start = 0; start < body.length;) {
    const found = body.indexOf(newline, start)
    const end = found === -1 ? body.length : found
    if (end > start) bounds.push(start, end)
    start = end + 1
  }
  const places = Float64Array.from(bounds)
  return { size: places.length / 2, line: (index) => body.subarray(places[index * 2], places[index * 2 + 1]) }
}

const leadingId = /^\{"id":(-?\d{1,16})[,}]/

/** Returns the id of a record's line without parsing, since every catalogue writes the id first. */
export const idOfLine = (line: Buffer): string =>
  leadingId.exec(line.toString("latin1", 0, 32))?.[1] ?? String(JSON.parse(line.toString())?.["id"])

const placesById = (lines: TextLines) =>
  new Map(Array.from({ length: lines.size }, (_, index) => [idOfLine(lines.line(index)), index]))

/** Returns lines with keys renamed by a rule. Each is rewritten once, on demand. */
const rewrittenLines = (lines: TextLines, rule: KeyRule) => {
  const kept: Array<Buffer> = []
  return (index: number): Buffer => (kept[index] ??= renameKeys(lines.line(index), rule))
}

/** Creates a shelf of lines. They are parsed at the first request that filters or sorts. */
export const textShelf = (lines: TextLines): ProductShelf => {
  let known: ReadonlyArray<ProductFacts> | undefined
  let places: Map<string, number> | undefined
  const byRule = new Map<KeyRule, (index: number) => Buffer>()
  const rewritten = (rule: KeyRule) => {
    const made = byRule.get(rule) ?? rewrittenLines(lines, rule)
    byRule.set(rule, made)
    return made
  }
  const allFacts = () =>
    (known ??= Array.from({ length: lines.size }, (_, index) => productFacts(JSON.parse(lines.line(index).toString()))))
  return {
    size: lines.size,
    inNameOrder: false,
    text: lines.line,
    worded: (index, rule) => (rule === null ? lines.line(index) : rewritten(rule)(index)),
    facts: (index) => allFacts()[index] ?? productFacts(undefined),
    id: (index) => Number(idOfLine(lines.line(index))),
    find: (id) => (places ??= placesById(lines)).get(id)
  }
}

/** Compares by release date, newest first and missing dates last, then by id. Beyond the spec: section 5. */
const byNewestRelease = (a: StoredExpansion, b: StoredExpansion): number =>
  a.releaseDate === b.releaseDate ? Number(a.id) - Number(b.id) : a.releaseDate < b.releaseDate ? 1 : -1

/** Returns the expansions of one deployment, newest release first. */
export const expansionShelf = (lines: TextLines): ReadonlyArray<StoredExpansion> =>
  Array.from({ length: lines.size }, (_, index) => {
    const text = lines.line(index)
    const record = JSON.parse(text.toString())
    return {
      id: String(record.id),
      slug: String(record.slug ?? ""),
      releaseDate: String(record.releaseDate ?? ""),
      text
    }
  }).sort(byNewestRelease)
