import { Result } from "effect"
import type { BadRequest } from "../../feed/contract/Errors.ts"
import type { Condition } from "../contract/inventory/InventoryLine.ts"
import type { MarketCurrency } from "../contract/Money.ts"
import { pageLimits } from "../../feed/contract/Paging.ts"
import type { RecentSale } from "../contract/prices/priceOperations.ts"
import { badRequest } from "../answers/refusals.ts"
import { convertCents } from "../money/exchange.ts"
import type { Region } from "../orders/orderMoney.ts"
import { moneyOf, type Store } from "../state/State.ts"
import { textOfMillis } from "../state/MarketClock.ts"
import { sqlText } from "../state/openDatabase.ts"

/** Which sales of a product are asked for. */
interface AskedSales {
  readonly productId: number
  readonly cursor?: string
  readonly limit?: number
  readonly finish?: string
  readonly condition?: Condition
  readonly language?: string
}

interface SaleRow {
  readonly number: number
  readonly place: number
  readonly placed_at: string
  readonly seller_currency: MarketCurrency
  readonly region: Region
  readonly unit_cents: number
  readonly quantity: number
  readonly finish: string
  readonly condition: Condition | null
  readonly language: string
  readonly grading_service: string | null
  readonly grade: string | null
  readonly certification: string | null
}

interface SalesPage {
  readonly data: ReadonlyArray<RecentSale>
  readonly pagination: { readonly nextCursor: string | null }
}

const daysMillis = 30 * 86_400_000
const select = sqlText(new URL("./recentSales.sql", import.meta.url))

const saleOf = (row: SaleRow): RecentSale => ({
  soldAt: row.placed_at,
  region: row.region,
  price: moneyOf(row.unit_cents, row.seller_currency),
  priceEur: moneyOf(convertCents(row.unit_cents, row.seller_currency, "EUR"), "EUR"),
  quantity: row.quantity,
  finish: row.finish,
  condition: row.condition,
  language: row.language,
  graded:
    row.grade === null
      ? null
      : { gradingService: row.grading_service, grade: row.grade, certification: row.certification }
})

const cursorOf = ({ number, place }: SaleRow) => Buffer.from(`sold:${number}:${place}`).toString("base64url")

const placeOf = (cursor: string | undefined) => {
  if (cursor === undefined) return { number: Number.MAX_SAFE_INTEGER, place: 0 }
  const [, number, place] = /^sold:(\d{1,15}):(\d{1,6})$/.exec(Buffer.from(cursor, "base64url").toString()) ?? []
  return number === undefined ? undefined : { number: Number(number), place: Number(place) }
}

/** The sales of a product in the last 30 days, newest first. Beyond the spec: section 7. */
export const recentSales = (
  store: Store,
  nowMillis: number,
  { condition, cursor, finish, language, limit = pageLimits.cursor.default, productId }: AskedSales
): Result.Result<SalesPage, BadRequest> => {
  const after = placeOf(cursor)
  if (after === undefined) return Result.fail(badRequest("cursor", "is not a cursor of this list; start without one"))
  const rows = store.all<SaleRow>(select, {
    productId,
    since: textOfMillis(nowMillis - daysMillis),
    finish: finish ?? null,
    condition: condition ?? null,
    language: language ?? null,
    ...after,
    rows: limit + 1
  })
  const shown = rows.slice(0, limit)
  const last = rows.length > limit ? shown.at(-1) : undefined
  return Result.succeed({
    data: shown.map(saleOf),
    pagination: { nextCursor: last === undefined ? null : cursorOf(last) }
  })
}
