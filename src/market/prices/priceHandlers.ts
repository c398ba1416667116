import { Effect, type Schema } from "effect"
import { HttpApiBuilder } from "effect/http-api"
import { cursorPage } from "../answers/cursorPage.ts"
import { MarketplaceApi } from "../contract/MarketplaceApi.ts"
import { jsonAnswer } from "../answers/jsonAnswer.ts"
import { findProduct } from "../catalogue/LiveCatalogue.ts"
import { readRecord } from "../catalogue/StoredCatalogue.ts"
import { Words } from "../wording/Wording.ts"
import { MarketClock, textOfMillis } from "../state/MarketClock.ts"
import { State, toMoney, convertCents } from "../state/State.ts"
import { historyPeriod, priceHistory, pricesByFinish } from "./priceHistory.ts"
import { productsBySource, type SourceProduct } from "../catalogue/foundProducts.ts"
import type { UnitRow } from "../inventory/LineRow.ts"
import type { MarketCurrency } from "../contract/Money.ts"
import { pageLimits } from "../../feed/contract/Paging.ts"
import type { RecentSale, salesQuery } from "../contract/prices/priceOperations.ts"
import { badRequest } from "../answers/refusals.ts"
import type { Region } from "../orders/placeOrder.ts"
import { sqlText } from "../state/openDatabase.ts"

interface SaleRow extends UnitRow {
  readonly number: number
  readonly place: number
  readonly placed_at: string
  readonly seller_currency: MarketCurrency
  readonly region: Region
  readonly unit_cents: number
  readonly quantity: number
  readonly language: string
}

const daysMillis = 30 * 86_400_000
const select = sqlText(new URL("./recentSales.sql", import.meta.url))

const showSale = (row: SaleRow): RecentSale => ({
  soldAt: row.placed_at,
  region: row.region,
  price: toMoney(row.unit_cents, row.seller_currency),
  priceEur: toMoney(convertCents(row.unit_cents, row.seller_currency, "EUR"), "EUR"),
  quantity: row.quantity,
  finish: row.finish,
  condition: row.condition,
  language: row.language,
  graded:
    row.grade === null
      ? null
      : { gradingService: row.grading_service, grade: row.grade, certification: row.certification }
})

const formatCursor = ({ number, place }: SaleRow) => Buffer.from(`sold:${number}:${place}`).toString("base64url")

const parseCursor = (cursor: string | undefined) => {
  if (cursor === undefined) return { number: Number.MAX_SAFE_INTEGER, place: 0 }
  const [, number, place] = /^sold:(\d{1,15}):(\d{1,6})$/.exec(Buffer.from(cursor, "base64url").toString()) ?? []
  return number === undefined ? undefined : { number: Number(number), place: Number(place) }
}

/** Returns a product's sales of the last 30 days, newest first. Beyond the spec: section 7. */
const recentSales = Effect.fnUntraced(function* (productId: number, query: Schema.Struct<typeof salesQuery>["Type"]) {
  const { condition = null, cursor, finish = null, language = null, limit = pageLimits.cursor.default } = query
  const { store } = yield* State
  const after = parseCursor(cursor)
  if (after === undefined) return yield* badRequest("cursor", "is not a cursor of this list; start without one")
  const since = textOfMillis((yield* MarketClock).now() - daysMillis)
  const values = { productId, since, finish, condition, language, ...after, rows: limit + 1 }
  const { next: nextCursor, shown } = cursorPage(store.all<SaleRow>(select, values), limit, formatCursor)
  return { data: shown.map(showSale), pagination: { nextCursor } }
})

/** Returns the product that an external id resolves to. Beyond the spec: section 6, resolve. */
const resolvedProduct = ({ finish, record: { expansionId, gameId, id, name } }: SourceProduct) => ({
  id: Number(id),
  name: String(name),
  gameId: String(gameId),
  expansionId: typeof expansionId === "number" ? expansionId : null,
  finish
})

/** Handlers of current prices, price history and recent sales. Beyond the spec: sections 6 and 7. */
export const priceHandlers = HttpApiBuilder.group(MarketplaceApi, "prices", (handlers) =>
  handlers
    .handle(
      "prices",
      Effect.fnUntraced(function* ({ request, params }) {
        const { prices: rule } = yield* Words.ask
        const product = readRecord((yield* findProduct(params.productId, rule)).text)
        const answer = { productId: product["id"], pricesByFinish: pricesByFinish(product) }
        // A stored record that violates the contract is served unchanged, as in the catalogue.
        return yield* jsonAnswer(request, JSON.stringify(answer))
      })
    )
    .handle(
      "priceHistory",
      Effect.fnUntraced(function* ({ params, query }) {
        const { game, text } = yield* findProduct(params.productId)
        const period = yield* historyPeriod(query)
        const productId = Number(readRecord(text)["id"])
        const data = yield* Effect.promise(() => priceHistory(game, String(productId), { ...query, ...period }))
        return { productId, ...period, data }
      })
    )
    .handle(
      "recentSales",
      Effect.fnUntraced(function* ({ params, query }) {
        const product = readRecord((yield* findProduct(params.productId)).text)
        return yield* recentSales(Number(product["id"]), query)
      })
    )
    .handle(
      "resolve",
      Effect.fnUntraced(function* ({ payload: { ids, marketplace } }) {
        const found = yield* productsBySource(marketplace, ids)
        return {
          results: ids.map((externalId) => {
            const product = found.get(externalId)
            return { externalId, product: product === undefined ? null : resolvedProduct(product) }
          })
        }
      })
    )
)
