import type { Refusal } from "./Refusal.ts"
import type { AcceptedPage } from "./acceptPage.ts"

/** Characters that are stored of one refused record, and of all those of a page: the raw page has the rest. */
const maxRecordLength = 1_000_000
const maxPageLength = 32_000_000

/** The raw text of a record that is stored in part ends with this. */
const cutMark = (length: number): string =>
  ` ... cut: the record has ${length} characters, and its raw page has them all`

/** The refusals of a page as the lines of `refusals.ndjson`. */
export const refusalLines = (file: string, refusals: AcceptedPage["refusals"]): ReadonlyArray<string> => {
  let left = maxPageLength
  return refusals.map((refusal) => {
    const most = Math.min(maxRecordLength, left)
    const { length } = refusal.raw
    const raw = length <= most ? refusal.raw : refusal.raw.slice(0, most).toWellFormed() + cutMark(length)
    left = Math.max(0, left - length)
    return `${JSON.stringify({ ...refusal, raw, page: file } satisfies Refusal)}\n`
  })
}
