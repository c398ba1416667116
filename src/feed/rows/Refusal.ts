import { Schema } from "effect"
import { PageKind } from "../contract/records.ts"

/** A record that the contract refuses. Stored with its position and reason and counted, never dropped. */
export const Refusal = Schema.Struct({
  kind: PageKind,
  /** `file` of its page. */
  page: Schema.String,
  /** Position in the page's `data`, from 0. */
  index: Schema.Int,
  /** The record's id as text, if it has one. */
  id: Schema.NullOr(Schema.String),
  /** Field path of the first fault, such as `pricesByFinish.Foil.sourceEur.low`. */
  path: Schema.String,
  reason: Schema.String,
  /** The record as JSON text; of a very long one, the beginning and a mark. */
  raw: Schema.String
})
export type Refusal = typeof Refusal.Type

/** Characters that are stored of one refused record, and of all those of a page: the raw page has the rest. */
const maxRecordLength = 1_000_000
const maxPageLength = 32_000_000

/** The raw text of a record that is stored in part ends with this. */
const cutMark = (length: number): string =>
  ` ... cut: the record has ${length} characters, and its raw page has them all`

/** The refusals of a page as the lines of `refusals.ndjson`. */
export const refusalLines = (file: string, refusals: ReadonlyArray<Omit<Refusal, "page">>): ReadonlyArray<string> => {
  let left = maxPageLength
  return refusals.map((refusal) => {
    const most = Math.min(maxRecordLength, left)
    const { length } = refusal.raw
    const raw = length <= most ? refusal.raw : refusal.raw.slice(0, most).toWellFormed() + cutMark(length)
    left = Math.max(0, left - length)
    return `${JSON.stringify({ ...refusal, raw, page: file } satisfies Refusal)}\n`
  })
}
