import type { AskedRequest } from "./askedRequest.ts"
import type { DrawnFault } from "./FaultLedger.ts"
import { type PageText, readPageText, writePageText } from "./PageText.ts"
import { brokenRecord, recordWithKey, recordWithWord } from "./strangeRecord.ts"

/** How many pages away the page is whose records are sent instead. */
export const pagesAway = { "page-twice": -1, "page-skipped": 1 } as const

/** Query of the page this many pages away; undefined if that is before the first. */
export const urlOfPage = (
  url: string,
  { offset }: AskedRequest,
  { away, limit }: { readonly limit: number; readonly away: number }
): string | undefined => {
  if (offset === undefined || offset + away * limit < 0) return undefined
  const other = new URL(url, "http://sandbox")
  other.searchParams.set("offset", String(offset + away * limit))
  other.searchParams.set("limit", String(limit))
  return `${other.pathname}${other.search}`
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
