import type { AskedRequest } from "./askedRequest.ts"
import type { DrawnFault } from "./Faults.ts"
import { brokenRecord, recordWithKey, recordWithWord } from "./strangeRecord.ts"

/** A list page taken apart without decoding its records, so that what is not touched stays byte for byte. */
interface PageText {
  readonly records: ReadonlyArray<string>
  readonly pagination: Readonly<Record<string, unknown>> | undefined
}

const opening = '{"data":['
const closing = '],"pagination":'

/** Index of the quote that closes the string opened at `open`. */
const closingQuote = (text: string, open: number): number => {
  let at = open + 1
  while (at < text.length && text[at] !== '"') at += text[at] === "\\" ? 2 : 1
  return at
}

/** The elements inside a JSON array, as they are written. */
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

/** Takes a page apart as the sandbox writes it; undefined if it is not a list with records. */
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

/** How many pages away the page is whose records are sent instead. */
export const pagesAway = { "page-twice": -1, "page-skipped": 1 } as const

/** Where another page is asked for: a search says it in its body, too. */
export interface OtherPage {
  readonly url: string
  readonly body: string | undefined
}

/** The page this many pages away; undefined if that is before the first. */
export const otherPageOf = (
  url: string,
  { body, offset }: AskedRequest,
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

/** The page with the records of another one: its pagination stays. Undefined when the other one has none. */
export const withRecordsOf = (text: string, other: string): string | undefined => {
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

/** The page with one thing in it that should not be there; undefined if the rule does not apply to it. */
export const strangePage = (text: string, { draw, rule }: DrawnFault): string | undefined => {
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
