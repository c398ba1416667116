import { Effect } from "effect"
import { pick } from "../../src/market/catalogue/seededNumber.ts"
import type { Where } from "../../src/market/faults/FaultPlan.ts"
import type { AnswerTools, TestRule } from "../../src/market/faults/Faults.ts"

/** How a field of a record is broken. `duplicate-key` adds the same key a second time, as null. */
export const brokenWays = [
  "wrong-type",
  "null",
  "missing",
  "huge-number",
  "negative",
  "nan-text",
  "long-string",
  "deep-nesting",
  "duplicate-key",
  "lone-surrogate"
] as const
export type BrokenWay = (typeof brokenWays)[number]

/** A page with the records of the one before or after it. */
interface OtherPage extends Where {
  readonly kind: "page-twice" | "page-skipped"
}

/** The page's `total` is wrong by this many, 1 by default. */
interface LyingTotal extends Where {
  readonly kind: "lying-total"
  readonly by?: number
}

/** One record has an unknown value of an open list. */
interface UnknownWord extends Where {
  readonly kind: "unknown-word"
  readonly word?: string
  readonly field?: string
}

/**
 * One record (`record`, from 0) has one field (a dotted path) broken in one way. `bytes` is the length of a long
 * string, 100,000 by default, `depth` that of a nesting, 3,000 by default.
 */
interface BrokenRecord extends Where {
  readonly kind: "broken-record"
  readonly record?: number
  readonly field?: string
  readonly way?: BrokenWay
  readonly bytes?: number
  readonly depth?: number
}

/** A fault of pages. Unspecified values are drawn from the seed. */
export type PageFault = OtherPage | LyingTotal | UnknownWord | BrokenRecord
export const pageFaultKinds = ["page-twice", "page-skipped", "lying-total", "unknown-word", "broken-record"] as const

type Draw = AnswerTools["draw"]

const isContainer = (value: unknown): value is Record<string, unknown> => typeof value === "object" && value !== null

/** Returns every field of a record as a dotted path, including containers and array elements. */
const fieldPaths = (record: unknown): ReadonlyArray<string> => {
  const paths: Array<string> = []
  const walk = (value: unknown, path: string) => {
    if (!isContainer(value)) return
    for (const [key, inner] of Object.entries(value)) {
      paths.push(path + key)
      walk(inner, `${path}${key}.`)
    }
  }
  walk(record, "")
  return paths
}

const marker = "\u0000sandbox-field\u0000"

/** Returns the value at a dotted path; undefined if there is none. */
const fieldValue = (record: unknown, path: string): unknown =>
  path.split(".").reduce<unknown>((at, key) => (isContainer(at) ? at[key] : undefined), record)

/**
 * Rewrites the field at `path` in a record's text. `write` gets the key as JSON text (null in an array) and returns the
 * member, or null to omit it. Undefined if the path does not exist.
 */
const rewriteField = (text: string, path: string, write: (key: string | null) => string | null): string | undefined => {
  const record: unknown = JSON.parse(text)
  const keys = path.split(".")
  const last = keys.pop() ?? ""
  const parent = keys.length === 0 ? record : fieldValue(record, keys.join("."))
  if (!isContainer(parent)) return undefined
  const key = Array.isArray(parent) ? null : JSON.stringify(last)
  const member = write(key)
  if (member === null) {
    if (Array.isArray(parent)) parent.splice(Number(last), 1)
    else delete parent[last]
    return JSON.stringify(record)
  }
  parent[last] = marker
  const place = key === null ? JSON.stringify(marker) : `${key}:${JSON.stringify(marker)}`
  return JSON.stringify(record).replace(place, () => member)
}

const wrongType = (value: unknown): string =>
  typeof value === "string" ? "7" : typeof value === "number" ? '"seven"' : '"text"'

const brokenText = (way: BrokenWay, value: unknown, { bytes = 100_000, depth = 3000 }: BrokenRecord): string => {
  switch (way) {
    case "wrong-type":
    case "missing":
    case "duplicate-key":
      return wrongType(value)
    case "null":
      return "null"
    case "huge-number":
      return "123456789012345678901234567890"
    case "negative":
      return "-1.5"
    case "nan-text":
      return '"NaN"'
    case "long-string":
      return `"${"x".repeat(bytes)}"`
    case "deep-nesting":
      return "[".repeat(depth) + "]".repeat(depth)
    case "lone-surrogate":
      return '"\\ud800"'
  }
}

/** Breaks one field of a record, as specified or drawn. Undefined if the record lacks the field. */
const brokenRecord = (text: string, rule: BrokenRecord, draw: Draw) => {
  const record: unknown = JSON.parse(text)
  const field = rule.field ?? pick(fieldPaths(record), draw("field"))
  const way = rule.way ?? pick(brokenWays, draw("way")) ?? "missing"
  if (field === undefined) return undefined
  const value = fieldValue(record, field)
  return rewriteField(text, field, (key) => {
    if (way === "missing") return null
    const broken = brokenText(way, value, rule)
    if (key === null) return broken
    return way === "duplicate-key" ? `${key}:${JSON.stringify(value ?? null)},${key}:null` : `${key}:${broken}`
  })
}

const openLists = ["languages.0", "finishes.0", "rarity", "productCategory"]

/** Adds an unknown value to an open list of a record. Undefined if the record has no open list. */
const recordWithWord = (text: string, rule: UnknownWord, draw: Draw) => {
  const record: unknown = JSON.parse(text)
  const present = openLists.filter((path) => typeof fieldValue(record, path) === "string")
  const field = rule.field ?? pick(present, draw("field"))
  const word = JSON.stringify(rule.word ?? "sandbox-word")
  return field === undefined ? undefined : rewriteField(text, field, (key) => (key === null ? word : `${key}:${word}`))
}

/** A list page split without decoding its records, so that the rest is unchanged byte for byte. */
interface PageText {
  readonly records: ReadonlyArray<string>
  readonly pagination: Readonly<Record<string, unknown>> | undefined
}

const opening = '{"data":['
const closing = '],"pagination":'

/** Returns the index of the quote that closes the string opened at `open`. */
const closingQuote = (text: string, open: number): number => {
  let at = open + 1
  while (at < text.length && text[at] !== '"') at += text[at] === "\\" ? 2 : 1
  return at
}

/** Returns the element texts of a JSON array. */
const elements = (text: string): ReadonlyArray<string> => {
  const found: Array<string> = []
  let depth = 0
  let start = 0
  for (let at = 0; at < text.length; at++) {
    const char = text[at]
    if (char === '"') at = closingQuote(text, at)
    else if (char === "{" || char === "[") depth += 1
    else if (char === "}" || char === "]") depth -= 1
    else if (char === "," && depth === 0) {
      found.push(text.slice(start, at))
      start = at + 1
    }
  }
  return text === "" ? [] : [...found, text.slice(start)]
}

/** Splits a page of the sandbox; undefined if it is not a list with records. */
const readPageText = (text: string): PageText | undefined => {
  if (!text.startsWith(opening)) return undefined
  const end = text.lastIndexOf(closing)
  const inside = text.slice(opening.length, end === -1 ? -2 : end)
  return {
    records: elements(inside),
    pagination: end === -1 ? undefined : JSON.parse(text.slice(end + closing.length, -1))
  }
}

const writePageText = ({ pagination, records }: PageText): string =>
  `${opening}${records.join(",")}${pagination === undefined ? "]}" : `${closing}${JSON.stringify(pagination)}}`}`

/** Offset to the page whose records are sent instead, in pages. */
const pagesAway = { "page-twice": -1, "page-skipped": 1 } as const

/**
 * Replaces the records of a page by those of another one; pagination is unchanged. Undefined if the other page has no
 * records.
 */
const replaceRecords = (text: string, other: string): string | undefined => {
  const page = readPageText(text)
  const otherPage = readPageText(other)
  return page === undefined || otherPage === undefined || otherPage.records.length === 0
    ? undefined
    : writePageText({ ...page, records: otherPage.records })
}

const changeRecord = (page: PageText, place: number, change: (text: string) => string | undefined) => {
  const text = page.records[place]
  const changed = text === undefined ? undefined : change(text)
  return changed === undefined ? undefined : writePageText({ ...page, records: page.records.with(place, changed) })
}

/** The records of another page under this one's pagination; undefined if there is no such page. */
const otherPage = Effect.fnUntraced(function* (
  text: string,
  { answerTo, call: { body, offset }, url }: AnswerTools,
  away: number
) {
  const limit = Number(readPageText(text)?.pagination?.["limit"])
  if (!Number.isInteger(limit) || offset === undefined || offset + away * limit < 0) return undefined
  const place = { limit, offset: offset + away * limit }
  const other = new URL(url, "http://sandbox")
  for (const [key, value] of Object.entries(place)) other.searchParams.set(key, String(value))
  const moved = body === "" ? undefined : JSON.stringify({ ...JSON.parse(body), ...place })
  return replaceRecords(text, yield* answerTo(`${other.pathname}${other.search}`, moved))
})

/** Returns the page with one wrong value; undefined if the rule does not apply. */
const corruptPage = (text: string, rule: LyingTotal | UnknownWord | BrokenRecord, draw: Draw): string | undefined => {
  const page = readPageText(text)
  if (page === undefined) return undefined
  const drawn = Math.floor(draw("record") * page.records.length)
  if (rule.kind === "unknown-word") return changeRecord(page, drawn, (record) => recordWithWord(record, rule, draw))
  if (rule.kind === "broken-record")
    return changeRecord(page, rule.record ?? drawn, (record) => brokenRecord(record, rule, draw))
  const total = page.pagination?.["total"]
  if (typeof total !== "number") return undefined
  return writePageText({ ...page, pagination: { ...page.pagination, total: Math.max(0, total + (rule.by ?? 1)) } })
}

const isOtherPage = (rule: PageFault): rule is OtherPage => rule.kind in pagesAway

/** Returns a fault of pages as a rule of a plan. */
export const pageFault = (rule: PageFault): TestRule => ({
  ...rule,
  change: (text, tools) =>
    isOtherPage(rule)
      ? otherPage(text, tools, pagesAway[rule.kind])
      : Effect.succeed(corruptPage(text, rule, tools.draw))
})
