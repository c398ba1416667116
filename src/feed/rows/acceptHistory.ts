// oxlint-disable-next-line import/no-unassigned-import -- importing it is what switches the compiler on
import "effect/schema/SchemaJITCompiler/enable"
import { Result, Schema } from "effect"
import { dialects, type SourceName } from "../contract/dialect/dialects.ts"
import { ReceivedHistoryRow } from "../contract/PriceHistory.ts"
import { hiddenFault, shortened, recordTexts } from "./acceptPage.ts"
import { exactRecord, withTexts } from "./exactRecord.ts"
import { isObject } from "./isObject.ts"
import { mayLoseOnParse } from "./mayLoseOnParse.ts"
import { schemaFault } from "../contract/schemaFault.ts"

/** A day's prices of one source and finish, by the columns of `backfilled_prices`. */
export interface AcceptedDay {
  readonly day: string
  readonly source: SourceName
  readonly finish: string
  readonly currency: string | null
  readonly low?: number | null
  readonly mid?: number | null
  readonly high?: number | null
  readonly marketValue?: number | null
  /** Keys that are not in the contract. */
  readonly extra: object | null
}

/** A row of an answer that breaks the contract. */
export interface RefusedDay {
  /** The position in the answer's `data`, from 0. */
  readonly position: number
  readonly path: string
  readonly reason: string
  readonly record: string
}

/** Sources by their name in any dialect. No name means two sources. */
const sources: ReadonlyMap<string, SourceName> = new Map(
  Object.values(dialects).flatMap(({ blocks }) => [
    [blocks.sourceEur, "sourceEur"] as const,
    [blocks.sourceUsd, "sourceUsd"] as const
  ])
)

const isRow = Schema.is(ReceivedHistoryRow)
const rowFault = schemaFault(ReceivedHistoryRow)
const known = new Set(Object.keys(ReceivedHistoryRow.fields))

const pickExtra = (row: object): object | null => {
  const unknown = Object.entries(row).filter(([key]) => !known.has(key))
  return unknown.length === 0 ? null : Object.fromEntries(unknown)
}

/**
 * Checks a price history of the requested days, both inclusive, row by row; fails with a message if all of it is invalid.
 * Design: decision 4.
 */
export const acceptHistory = (
  { json, plain, text }: { readonly json: unknown; readonly plain: Uint8Array; readonly text: string },
  { from, product, to }: { readonly product: number; readonly from: string; readonly to: string }
): Result.Result<
  { readonly days: ReadonlyArray<AcceptedDay>; readonly refused: ReadonlyArray<RefusedDay> },
  string
> => {
  if (!isObject(json)) return Result.fail("It is not an object")
  const { data, productId } = json as Readonly<Record<string, unknown>>
  if (productId !== product) return Result.fail(`It is of product ${shortened(productId)}`)
  if (!Array.isArray(data)) return Result.fail("It has no list `data`")
  const rows: ReadonlyArray<unknown> = data
  const isDoubtful = mayLoseOnParse(plain)
  let texts: ReadonlyArray<string> | null = null
  const textAt = (position: number): string => (texts ??= recordTexts(text))[position] ?? ""
  const seen = new Set<string>()
  const days: Array<AcceptedDay> = []
  const refused: Array<RefusedDay> = []
  for (const [position, parsed] of rows.entries()) {
    const isInexact = isDoubtful && mayLoseOnParse(Buffer.from(textAt(position)))
    const row = isInexact ? exactRecord(textAt(position)) : parsed
    const refuse = (path: string, reason: string) => {
      refused.push({ position, path, reason: reason.toWellFormed(), record: textAt(position).slice(0, 10_000) })
    }
    if (!isRow(row)) {
      const { path, reason } = rowFault(row)
      refuse(path, reason)
      continue
    }
    const hidden = isInexact ? hiddenFault(row, textAt(position)) : null
    const source = sources.get(row.marketplace)
    // Two names may mean one source.
    const key = `${row.date} ${source} ${row.finish}`
    if (hidden !== null) refuse(hidden.path, hidden.reason)
    else if (source === undefined) refuse("marketplace", `No price source is called ${shortened(row.marketplace)}`)
    else if (row.date < from || row.date > to) refuse("date", `Not from ${from} to ${to}, which was requested`)
    else if (seen.has(key)) refuse("", "An earlier row has this day, source and finish")
    else {
      seen.add(key)
      const { date, finish, high, low, marketValue, mid } = row
      const currency = row.currency ?? dialects.spec.sources[source].currency
      days.push({
        day: date,
        source,
        finish,
        currency,
        low: low ?? null,
        mid: mid ?? null,
        high: high ?? null,
        marketValue: marketValue ?? null,
        extra: isInexact ? withTexts(pickExtra(row)) : pickExtra(row)
      })
    }
  }
  return Result.succeed({ days, refused })
}
