import type { FaultRequest } from "./readFaultRequest.ts"
import type { DrawnFault } from "./Faults.ts"
import { type BrokenWay, type FaultRule, BrokenWay as BrokenWays } from "./FaultPlan.ts"
import { pick } from "../catalogue/seededNumber.ts"

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

type Rule<Kind extends FaultRule["kind"]> = Extract<FaultRule, { readonly kind: Kind }>

const wrongType = (value: unknown): string =>
  typeof value === "string" ? "7" : typeof value === "number" ? '"seven"' : '"text"'

const brokenText = (
  way: BrokenWay,
  value: unknown,
  { bytes = 100_000, depth = 3000 }: Rule<"broken-record">
): string => {
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
export const brokenRecord = (text: string, rule: Rule<"broken-record">, draw: DrawnFault["draw"]) => {
  const record: unknown = JSON.parse(text)
  const field = rule.field ?? pick(fieldPaths(record), draw("field"))
  const way = rule.way ?? pick(BrokenWays.literals, draw("way")) ?? "missing"
  if (field === undefined) return undefined
  const value = fieldValue(record, field)
  return rewriteField(text, field, (key) => {
    if (way === "missing") return null
    const broken = brokenText(way, value, rule)
    if (key === null) return broken
    return way === "duplicate-key" ? `${key}:${JSON.stringify(value ?? null)},${key}:null` : `${key}:${broken}`
  })
}

/** Adds a key at the start of a record; nothing else changes. */
export const recordWithKey = (text: string, { key = "sandboxKey" }: Rule<"unknown-key">) =>
  text.startsWith("{") && text !== "{}" ? `{${JSON.stringify(key)}:"unknown",${text.slice(1)}` : undefined

const openLists = ["languages.0", "finishes.0", "rarity", "productCategory"]

/** Adds an unknown value to an open list of a record. Undefined if the record has no open list. */
export const recordWithWord = (text: string, rule: Rule<"unknown-word">, draw: DrawnFault["draw"]) => {
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
export const readPageText = (text: string): PageText | undefined => {
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
export const pagesAway = { "page-twice": -1, "page-skipped": 1 } as const

/** The place of another page. A search also states it in its body. */
export interface OtherPage {
  readonly url: string
  readonly body: string | undefined
}

/** Returns the page this many pages away; undefined if it is before the first. */
export const findOtherPage = (
  url: string,
  { body, offset }: FaultRequest,
  { away, limit }: { readonly limit: number; readonly away: number }
): OtherPage | undefined => {
  if (offset === undefined || offset + away * limit < 0) return undefined
  const place = { limit, offset: offset + away * limit }
  const other = new URL(url, "http://sandbox")
  for (const [key, value] of Object.entries(place)) other.searchParams.set(key, String(value))
  return {
    url: `${other.pathname}${other.search}`,
    body: body === "" ? undefined : JSON.stringify({ ...JSON.parse(body), ...place })
  }
}

/**
 * Replaces the records of a page by those of another one; pagination is unchanged. Undefined if the other page has no
 * records.
 */
export const replaceRecords = (text: string, other: string): string | undefined => {
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

/** Inserts one invalid value into a page; undefined if the rule does not apply. */
export const corruptPage = (text: string, { draw, rule }: DrawnFault): string | undefined => {
  const page = readPageText(text)
  if (page === undefined) return undefined
  const drawn = Math.floor(draw("record") * page.records.length)
  switch (rule.kind) {
    case "lying-total": {
      const total = page.pagination?.["total"]
      return typeof total === "number"
        ? writePageText({ ...page, pagination: { ...page.pagination, total: Math.max(0, total + (rule.by ?? 1)) } })
        : undefined
    }
    case "unknown-key":
      return changeRecord(page, drawn, (record) => recordWithKey(record, rule))
    case "unknown-word":
      return changeRecord(page, drawn, (record) => recordWithWord(record, rule, draw))
    case "broken-record":
      return changeRecord(page, rule.record ?? drawn, (record) => brokenRecord(record, rule, draw))
    default:
      return undefined
  }
}
