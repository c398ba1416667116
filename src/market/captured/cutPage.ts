import { Option, Schema } from "effect"
import { findList } from "../../feed/contract/findList.ts"
import { type Span, spanAt, spansIn } from "../../feed/contract/jsonSpans.ts"

/** A page that holds all captured records of its list. */
export interface CutPage {
  readonly text: string
  readonly records: number
  /** The total that the page states, if it exceeds the captured count; otherwise null. */
  readonly claimed: number | null
}

/** A replacement for the text of a value. */
interface Edit {
  readonly start: number
  readonly end: number
  readonly by: string
}

/** Parses JSON; none if the text is not JSON. */
export const parsedJson = Schema.decodeUnknownOption(Schema.fromJsonString(Schema.Unknown))

export const edited = (text: string, edits: ReadonlyArray<Edit>): string => {
  const pieces: Array<string> = []
  let done = 0
  for (const { by, end, start } of edits.toSorted((a, b) => a.start - b.start)) {
    pieces.push(text.slice(done, start), by)
    done = end
  }
  return pieces.join("") + text.slice(done)
}

/** Returns the envelope's values, around and beside the list. */
const beside = (text: string, path: ReadonlyArray<string>): ReadonlyArray<Span> => {
  const list = spanAt(text, path)
  const root = spanAt(text, [])
  const inside = (span: Span): ReadonlyArray<Span> => {
    if (span.start === list?.start) return []
    return text[span.start] === "{" ? spansIn(text, span.start).flatMap(inside) : [span]
  }
  return root === null ? [] : inside(root)
}

const more = /more|next/i
const cursor = /cursor|next|after|token/i

/**
 * Rewrites a page as the last of its list: counts beyond the page become the page's, there is no next page and no
 * cursor. Everything else is unchanged. `pageSize` is the page size; `keeps` selects records.
 */
export const cutPage = (
  text: string,
  {
    pageSize,
    keeps = () => true
  }: { readonly pageSize: number; readonly keeps?: (record: unknown, index: number) => boolean }
): CutPage | null => {
  const list = findList(Option.getOrNull(parsedJson(text)))
  const span = list === null ? null : spanAt(text, list.path)
  if (list === null || span === null) return null
  const all = spansIn(text, span.start)
  const kept = all.filter((_, index) => keeps(list.records[index], index))
  const edits: Array<Edit> = []
  let claimed: number | null = null
  for (const { end, key, start } of beside(text, list.path)) {
    const value: unknown = JSON.parse(text.slice(start, end))
    if (typeof value === "number" && value > all.length && value !== pageSize) {
      claimed = Math.max(claimed ?? 0, value)
      edits.push({ start, end, by: String(kept.length) })
    } else if (value === true && more.test(key)) edits.push({ start, end, by: "false" })
    else if (typeof value === "string" && cursor.test(key)) edits.push({ start, end, by: "null" })
  }
  if (kept.length < all.length) {
    edits.push({
      start: span.start,
      end: span.end,
      by: `[${kept.map((one) => text.slice(one.start, one.end)).join(",")}]`
    })
  }
  return { text: edited(text, edits), records: kept.length, claimed }
}
